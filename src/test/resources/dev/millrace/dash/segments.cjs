// What another reader of MPDs (npm mpd-parser) finds in them, for MpdCorpusTest.
//
//   node segments.cjs NODE_MODULES MANIFEST_URL FILE...
//
// One line for each representation, tab-separated: file, id, initialization, index, and for each
// segment its URL with the range after a blank, and its presentation time in milliseconds (empty
// without a timeline: what it counts lacks the presentation time offset).
// A file that it refuses: file, "!", the reason. Dynamic ones are left out.
const {readFileSync} = require('fs');
const path = require('path');
const [modules, manifestUri, ...files] = process.argv.slice(2);
const parser = require(path.join(modules, 'mpd-parser'));

/** All alternatives but the first: each would give all representations once more. */
function dropAlternatives(element) {
  const children = Array.from(element.childNodes).filter((child) => child.tagName);
  children
    .filter((child) => child.tagName === 'BaseURL')
    .slice(1)
    .forEach((child) => element.removeChild(child));
  children.forEach(dropAlternatives);
}

function address(part) {
  if (!part) {
    return '';
  }
  const range = part.byterange;
  const last = range && BigInt(range.offset) + BigInt(range.length) - 1n;
  return part.resolvedUri + (range ? ` ${range.offset}-${last}` : '');
}

function line(file, playlist, info) {
  const isTimed = info.segmentInfo.segmentTimeline;
  const segments = playlist.segments || [];
  const first = segments[0] || playlist.sidx;
  const listed = segments.flatMap((segment) => [
    address(segment),
    isTimed ? Math.round(segment.presentationTime * 1000) : '',
  ]);
  const map = first && first.map && address(first.map);
  return [file, playlist.attributes.id, map || '', address(playlist.sidx), ...listed].join('\t');
}

for (const file of files) {
  try {
    const mpd = parser.stringToMpdXml(readFileSync(file, 'utf8'));
    if (mpd.getAttribute('type') === 'dynamic') {
      continue;
    }
    dropAlternatives(mpd);
    const {representationInfo} = parser.inheritAttributes(mpd, {manifestUri});
    parser.toPlaylists(representationInfo).forEach((playlist, i) => {
      console.log(line(file, playlist, representationInfo[i]));
    });
  } catch (error) {
    console.log([file, '!', error.message.split('\n')[0]].join('\t'));
  }
}
