"""A chart of grouped bars, written as SVG by hand."""

import math
from xml.sax.saxutils import escape

_COLOURS = ("#7f8c8d", "#2980b9", "#27ae60", "#c0392b", "#8e44ad", "#d35400", "#16a085", "#2c3e50")
_WIDTH, _LEFT, _PANEL, _GAP, _TOP = 900, 64, 200, 70, 40
_LEGEND_COLUMNS = 4


def svg(heading, labels, results):
    """Panels for what has been measured: throughput, CPU, memory."""
    panels = [
        panel
        for panel in (
            _panel(results, "reference", "Throughput × HAProxy (7 MiB, higher is better)", "ratio", 2),
            _panel(results, "cost", "CPU s per GB relayed (lower is better)", "cpu_per_gigabyte", 2),
            _panel(results, "rss", "Peak RSS in MB (lower is better)", "peak_megabytes", 0),
        )
        if panel
    ]
    peers = list(dict.fromkeys(peer for _, bars, _ in panels for _, peer, _ in bars))
    colours = {peer: _COLOURS[i % len(_COLOURS)] for i, peer in enumerate(peers)}
    top = _TOP + 20 * -(-len(peers) // _LEGEND_COLUMNS)
    height = top + len(panels) * (_PANEL + _GAP)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{_WIDTH}" height="{height}" fill="white"/>',
        f'<text x="{_LEFT}" y="20" font-size="14" font-weight="bold">{escape(heading)}</text>',
    ]
    for i, peer in enumerate(peers):
        x = _LEFT + i % _LEGEND_COLUMNS * (_WIDTH - _LEFT) // _LEGEND_COLUMNS
        y = 32 + i // _LEGEND_COLUMNS * 20
        out.append(f'<rect x="{x}" y="{y}" width="12" height="12" fill="{colours[peer]}"/>')
        out.append(f'<text x="{x + 17}" y="{y + 10}">{escape(labels[peer])}</text>')
    for i, (title, bars, digits) in enumerate(panels):
        out += _bars(title, bars, digits, colours, top + i * (_PANEL + _GAP) + 10)
    return "\n".join([*out, "</svg>", ""])


def _panel(results, mode, title, figure, digits):
    bars = [
        (row["clients"], row["peer"], row[figure])
        for row in results.get(mode, {}).get("rows", [])
        if row[figure] is not None
    ]
    return (title, bars, digits) if bars else None


def _step(least):
    """The next round number: 1, 2, 2.5 or 5 times a power of ten."""
    power = 10 ** math.floor(math.log10(least or 1))
    return next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= least)


def _bars(title, bars, digits, colours, top):
    step = _step(max(value for _, _, value in bars) / 4)
    highest = step * 4
    levels = list(dict.fromkeys(clients for clients, _, _ in bars))
    bottom, inner = top + _PANEL, _WIDTH - _LEFT - 20
    out = [f'<text x="{_LEFT}" y="{top + 4}" font-weight="bold">{escape(title)}</text>']
    for line in range(5):
        value = step * line
        y = bottom - (_PANEL - 20) * line / 4
        out.append(f'<line x1="{_LEFT}" x2="{_WIDTH - 20}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value:.{digits}f}</text>')
    group = inner / len(levels)
    for i, clients in enumerate(levels):
        mine = [(peer, value) for level, peer, value in bars if level == clients]
        width = min(40, group * 0.85 / len(mine))
        x = _LEFT + i * group + (group - width * len(mine)) / 2
        for peer, value in mine:
            tall = (_PANEL - 20) * value / highest
            out.append(
                f'<rect x="{x:.1f}" y="{bottom - tall:.1f}" width="{width - 2:.1f}" height="{tall:.1f}" '
                f'fill="{colours[peer]}"><title>{escape(peer)}: {value:.{digits}f}</title></rect>'
            )
            out.append(
                f'<text x="{x + width / 2 - 1:.1f}" y="{bottom - tall - 3:.1f}" font-size="9" text-anchor="middle">'
                f"{value:.{digits}f}</text>"
            )
            x += width
        middle = _LEFT + i * group + group / 2
        out.append(f'<text x="{middle:.1f}" y="{bottom + 16}" text-anchor="middle">{clients} clients</text>')
    return out
