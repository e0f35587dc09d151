import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Load generator. Reads one command per line ({@code key=value …}) from standard input and answers each with one JSON line;
 * times are in seconds.
 *
 * <ul>
 *   <li>{@code do=crowd url c n bytes timeout [sha]}: n GETs, c at a time, on kept-alive connections
 *   <li>{@code do=pairs direct via n warm}: time to first byte, alternating, one kept-alive connection each
 *   <li>{@code do=slow url c rate seconds probe probes}: c readers of rate bytes per second each
 *   <li>{@code do=forget}: closes the kept connections
 * </ul>
 *
 * One thread and one 256 KiB buffer serve a whole crowd, so that the generator takes little of the cores it shares with
 * the relays. Bodies are counted and dropped; with {@code sha} they are hashed too.
 */
final class Load {
  private static final int BUFFER_BYTES = 256 * 1024;
  private static final int SLOW_RECEIVE_BUFFER_BYTES = 16 * 1024;
  private static final long TICK_NANOS = 20_000_000;
  private static final int TICKS_PER_READ = 5;

  public static void main(String[] args) throws IOException {
    Crowd crowd = new Crowd(Selector.open());
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line; (line = in.readLine()) != null; ) {
      Map<String, String> command = command(line);
      try {
        System.out.println(
            switch (command.get("do")) {
              case "crowd" -> crowd.run(command);
              case "pairs" -> pairs(command);
              case "slow" -> slow(command);
              case "forget" -> crowd.forget();
              default -> throw new IllegalArgumentException(line);
            });
      } catch (Exception e) {
        System.out.println("{\"failure\":\"" + e.toString().replaceAll("[\"\\\\\\p{Cntrl}]", " ") + "\"}");
      }
      System.out.flush();
    }
  }

  private static Map<String, String> command(String line) {
    Map<String, String> command = new HashMap<>();
    for (String word : line.trim().split(" ")) {
      int equals = word.indexOf('=');
      command.put(word.substring(0, equals), word.substring(equals + 1));
    }
    return command;
  }

  /** Where a request goes, and its bytes. */
  record Endpoint(InetSocketAddress address, byte[] request) {
    static Endpoint of(String url) {
      URI uri = URI.create(url);
      String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
      String request =
          "GET " + uri.getRawPath() + query + " HTTP/1.1\r\nHost: " + uri.getRawAuthority() + "\r\nAccept: */*\r\n\r\n";
      return new Endpoint(
          new InetSocketAddress(uri.getHost(), uri.getPort()), request.getBytes(StandardCharsets.US_ASCII));
    }
  }

  /** One HTTP/1.1 answer with a Content-Length, fed in pieces; anything else is a failure. */
  static final class Answer {
    private final byte[] head = new byte[16 * 1024];
    private final MessageDigest digest;
    private int headBytes;
    private int matched;
    private int status;
    private long length = -1;
    private long bodyBytes;

    Answer(boolean hash) {
      try {
        digest = hash ? MessageDigest.getInstance("SHA-256") : null;
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException(e);
      }
    }

    void accept(ByteBuffer input) throws IOException {
      while (matched < 4 && input.hasRemaining()) {
        byte b = input.get();
        if (headBytes == head.length) {
          throw new IOException("head too long");
        }
        head[headBytes++] = b;
        matched = b == "\r\n\r\n".charAt(matched) ? matched + 1 : b == '\r' ? 1 : 0;
        if (matched == 4) {
          readHead(new String(head, 0, headBytes, StandardCharsets.ISO_8859_1));
        }
      }
      bodyBytes += input.remaining();
      if (digest != null) {
        digest.update(input);
      }
    }

    private void readHead(String text) throws IOException {
      status = Integer.parseInt(text.substring(9, 12));
      for (String line : text.split("\r\n")) {
        if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
          length = Long.parseLong(line.substring(15).trim());
        }
      }
      if (status != 200) {
        throw new IOException("status " + status);
      }
      if (length < 0) {
        throw new IOException("no Content-Length");
      }
    }

    boolean isUntouched() {
      return headBytes == 0;
    }

    boolean isWhole() {
      return matched == 4 && bodyBytes >= length;
    }

    /** Empty if the body is what it should be. */
    String fault(long bytes, String sha) {
      if (length != bytes || bodyBytes != bytes) {
        return "wrong length";
      }
      return sha != null && !HexFormat.of().formatHex(digest.digest()).equals(sha) ? "wrong hash" : "";
    }
  }

  /** A client connection and the request it carries. */
  static final class Client {
    private SocketChannel channel;
    private SelectionKey key;
    private Answer answer;
    private long startNanos;
    private boolean isReused;

    void close() {
      if (channel != null) {
        if (key != null) {
          key.cancel();
        }
        try {
          channel.close();
        } catch (IOException e) {
          // nothing left to do for it
        }
        channel = null;
      }
    }
  }

  /** Closed loop: each client sends its next request when the last one has ended. */
  static final class Crowd {
    private final Selector selector;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final Map<InetSocketAddress, List<Client>> kept = new HashMap<>();
    private final Map<String, Integer> faults = new TreeMap<>();
    private final List<Double> seconds = new ArrayList<>();
    private final ArrayDeque<Client> idle = new ArrayDeque<>();
    private Endpoint endpoint;
    private long bytes;
    private String sha;
    private int timeouts;
    private int reconnects;

    Crowd(Selector selector) {
      this.selector = selector;
    }

    String forget() throws IOException {
      kept.values().forEach(clients -> clients.forEach(Client::close));
      kept.clear();
      selector.selectNow();
      return "{}";
    }

    String run(Map<String, String> command) throws IOException {
      endpoint = Endpoint.of(command.get("url"));
      bytes = Long.parseLong(command.get("bytes"));
      sha = command.get("sha");
      int total = Integer.parseInt(command.get("n"));
      long timeoutNanos = (long) (Double.parseDouble(command.get("timeout")) * 1e9);
      faults.clear();
      seconds.clear();
      timeouts = 0;
      reconnects = 0;
      List<Client> clients = clients(Integer.parseInt(command.get("c")));
      idle.clear();
      idle.addAll(clients);
      long begin = System.nanoTime();
      int started = 0;
      while (started < total || idle.size() < clients.size()) {
        while (started < total && !idle.isEmpty()) {
          started++;
          begin(idle.poll());
        }
        selector.select(100);
        for (SelectionKey key : selector.selectedKeys()) {
          if (key.isValid()) {
            advance((Client) key.attachment());
          }
        }
        selector.selectedKeys().clear();
        expire(clients, timeoutNanos);
      }
      return result((System.nanoTime() - begin) / 1e9);
    }

    private List<Client> clients(int count) {
      List<Client> clients = kept.computeIfAbsent(endpoint.address(), address -> new ArrayList<>());
      while (clients.size() < count) {
        clients.add(new Client());
      }
      return clients.subList(0, count);
    }

    private void begin(Client client) {
      client.startNanos = System.nanoTime();
      client.answer = new Answer(sha != null);
      client.isReused = client.channel != null;
      try {
        if (client.isReused && client.channel.read(buffer.clear()) != 0) {
          client.close(); // ended by the peer while idle
          client.isReused = false;
        }
        if (client.isReused) {
          send(client);
        } else {
          connect(client);
        }
      } catch (IOException e) {
        fail(client, e);
      }
    }

    private void connect(Client client) throws IOException {
      client.channel = SocketChannel.open();
      client.channel.configureBlocking(false);
      client.channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      client.key = client.channel.register(selector, SelectionKey.OP_CONNECT, client);
      if (client.channel.connect(endpoint.address())) {
        send(client);
      }
    }

    private void send(Client client) throws IOException {
      if (client.channel.write(ByteBuffer.wrap(endpoint.request())) != endpoint.request().length) {
        throw new IOException("request not taken");
      }
      client.key.interestOps(SelectionKey.OP_READ);
    }

    private void advance(Client client) {
      try {
        if (client.key.isConnectable()) {
          client.channel.finishConnect();
          send(client);
          return;
        }
        int read = client.channel.read(buffer.clear());
        if (read < 0) {
          throw new IOException(client.answer.isUntouched() ? "closed before an answer" : "cut");
        }
        client.answer.accept(buffer.flip());
        if (client.answer.isWhole()) {
          finish(client, client.answer.fault(bytes, sha));
        }
      } catch (IOException e) {
        fail(client, e);
      }
    }

    private void fail(Client client, IOException e) {
      client.close();
      if (client.isReused && client.answer.isUntouched()) {
        client.isReused = false;
        reconnects++;
        try {
          connect(client);
          return;
        } catch (IOException again) {
          client.close();
        }
      }
      finish(client, e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
    }

    private void finish(Client client, String fault) {
      seconds.add((System.nanoTime() - client.startNanos) / 1e9);
      if (!fault.isEmpty()) {
        faults.merge(fault.replace('"', '\''), 1, Integer::sum);
        client.close();
      } else {
        client.key.interestOps(0);
      }
      client.answer = null;
      idle.add(client);
    }

    private void expire(List<Client> clients, long timeoutNanos) {
      long now = System.nanoTime();
      for (Client client : clients) {
        if (client.answer != null && now - client.startNanos > timeoutNanos) {
          timeouts++;
          finish(client, "time-out");
        }
      }
    }

    private String result(double wallSeconds) {
      StringBuilder errors = new StringBuilder();
      faults.forEach((fault, count) -> errors.append(errors.isEmpty() ? "" : ",").append("\"" + fault + "\":" + count));
      double[] sorted = seconds.stream().mapToDouble(Double::doubleValue).sorted().toArray();
      return json(
              "seconds", wallSeconds, "median", median(sorted), "slowest", sorted[sorted.length - 1],
              "timeouts", timeouts, "reconnects", reconnects)
          .replaceFirst("}$", ",\"errors\":{" + errors + "}}");
    }
  }

  /** Time to first byte of n pairs; who goes first alternates too. */
  private static String pairs(Map<String, String> command) throws IOException {
    Endpoint direct = Endpoint.of(command.get("direct"));
    Endpoint via = Endpoint.of(command.get("via"));
    int warm = Integer.parseInt(command.get("warm"));
    int count = Integer.parseInt(command.get("n"));
    double[] directSeconds = new double[count];
    double[] viaSeconds = new double[count];
    double[] added = new double[count];
    try (Socket a = connected(direct);
        Socket b = connected(via)) {
      for (int i = -warm; i < count; i++) {
        boolean isDirectFirst = i % 2 == 0;
        double first = firstByte(isDirectFirst ? a : b, isDirectFirst ? direct : via);
        double second = firstByte(isDirectFirst ? b : a, isDirectFirst ? via : direct);
        if (i >= 0) {
          directSeconds[i] = isDirectFirst ? first : second;
          viaSeconds[i] = isDirectFirst ? second : first;
          added[i] = viaSeconds[i] - directSeconds[i];
        }
      }
    }
    Arrays.sort(directSeconds);
    Arrays.sort(viaSeconds);
    Arrays.sort(added);
    return json(
        "direct", median(directSeconds), "via", median(viaSeconds), "added", median(added),
        "added95", added[count * 95 / 100]);
  }

  private static Socket connected(Endpoint endpoint) throws IOException {
    Socket socket = new Socket();
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(10_000);
    socket.connect(endpoint.address(), 10_000);
    return socket;
  }

  /** Sends the request and reads the whole answer; seconds from sending to the first byte. */
  private static double firstByte(Socket socket, Endpoint endpoint) throws IOException {
    Answer answer = new Answer(false);
    byte[] chunk = new byte[8192];
    InputStream in = socket.getInputStream();
    long start = System.nanoTime();
    socket.getOutputStream().write(endpoint.request());
    double seconds = 0;
    while (!answer.isWhole()) {
      int read = in.read(chunk);
      if (read < 0) {
        throw new IOException("cut");
      }
      if (answer.isUntouched()) {
        seconds = (System.nanoTime() - start) / 1e9;
      }
      answer.accept(ByteBuffer.wrap(chunk, 0, read));
    }
    return seconds;
  }

  /** A reader that takes its rate and no more. */
  static final class SlowReader {
    private final SocketChannel channel = SocketChannel.open();
    private final Answer answer = new Answer(false);
    private final long startNanos = System.nanoTime();
    private long readBytes;
    private double firstByteSeconds = -1;
    private String fault = "";

    SlowReader(Endpoint endpoint) throws IOException {
      channel.setOption(StandardSocketOptions.SO_RCVBUF, SLOW_RECEIVE_BUFFER_BYTES);
      channel.connect(endpoint.address());
      channel.configureBlocking(false);
      channel.write(ByteBuffer.wrap(endpoint.request()));
    }

    void read(ByteBuffer buffer, long rate) {
      long allowed = firstByteSeconds < 0 ? 1 : (long) ((System.nanoTime() - startNanos) / 1e9 * rate) - readBytes;
      if (!fault.isEmpty() || allowed <= 0) {
        return;
      }
      try {
        int read = channel.read(buffer.clear().limit((int) Math.min(allowed, buffer.capacity())));
        if (read < 0) {
          throw new IOException("cut");
        }
        if (read > 0 && firstByteSeconds < 0) {
          firstByteSeconds = (System.nanoTime() - startNanos) / 1e9;
        }
        readBytes += read;
        answer.accept(buffer.flip());
      } catch (IOException e) {
        fault = String.valueOf(e.getMessage());
      }
    }
  }

  private static String slow(Map<String, String> command) throws Exception {
    Endpoint endpoint = Endpoint.of(command.get("url"));
    int count = Integer.parseInt(command.get("c"));
    long rate = Long.parseLong(command.get("rate"));
    double seconds = Double.parseDouble(command.get("seconds"));
    ByteBuffer buffer = ByteBuffer.allocateDirect(64 * 1024);
    List<SlowReader> readers = new ArrayList<>();
    long begin = System.nanoTime();
    Probes probes = new Probes(Endpoint.of(command.get("probe")), Integer.parseInt(command.get("probes")), seconds);
    Thread probing = new Thread(probes, "probes");
    probing.setDaemon(true);
    probing.start();
    try {
      while (readers.size() < count) {
        readers.add(new SlowReader(endpoint));
      }
      for (int tick = 0; (System.nanoTime() - begin) / 1e9 < seconds; tick++) {
        for (int i = 0; i < count; i++) {
          SlowReader reader = readers.get(i);
          if (reader.firstByteSeconds < 0 || i % TICKS_PER_READ == tick % TICKS_PER_READ) {
            reader.read(buffer, rate);
          }
        }
        LockSupport.parkNanos(begin + (tick + 1) * TICK_NANOS - System.nanoTime());
      }
    } finally {
      for (SlowReader reader : readers) {
        reader.channel.close();
      }
    }
    probing.join(30_000);
    double[] firsts = readers.stream().mapToDouble(r -> r.firstByteSeconds).filter(s -> s >= 0).sorted().toArray();
    double[] rates = readers.stream().mapToDouble(r -> r.readBytes / seconds).sorted().toArray();
    double[] probed = probes.seconds.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return json(
        "served", readers.stream().filter(r -> r.answer.status == 200).count(),
        "cut", readers.stream().filter(r -> !r.fault.isEmpty()).count(),
        "firstMedian", median(firsts), "firstSlowest", firsts.length == 0 ? -1 : firsts[firsts.length - 1],
        "rateMedian", median(rates), "rateLowest", rates[0],
        "probes", probed.length, "probeMedian", median(probed),
        "probeSlowest", probed.length == 0 ? -1 : probed[probed.length - 1]);
  }

  /** New clients that come while the slow ones read: connect, ask, first byte. Spread over the second half. */
  static final class Probes implements Runnable {
    private final List<Double> seconds = new ArrayList<>();
    private final Endpoint endpoint;
    private final int count;
    private final double duration;

    Probes(Endpoint endpoint, int count, double duration) {
      this.endpoint = endpoint;
      this.count = count;
      this.duration = duration;
    }

    @Override
    public void run() {
      long begin = System.nanoTime();
      for (int i = 0; i < count; i++) {
        LockSupport.parkNanos(begin + (long) (duration * (0.5 + 0.45 * i / count) * 1e9) - System.nanoTime());
        long start = System.nanoTime();
        try (Socket socket = connected(endpoint)) {
          double connected = (System.nanoTime() - start) / 1e9;
          seconds.add(connected + firstByte(socket, endpoint));
        } catch (IOException e) {
          // counted by its absence
        }
      }
    }
  }

  private static double median(double[] sorted) {
    int n = sorted.length;
    return n == 0 ? -1 : n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
  }

  private static String json(Object... pairs) {
    StringBuilder text = new StringBuilder("{");
    for (int i = 0; i < pairs.length; i += 2) {
      text.append(i == 0 ? "" : ",").append('"').append(pairs[i]).append("\":").append(pairs[i + 1]);
    }
    return text.append('}').toString();
  }
}
