// A load generator that is never the bottleneck: one thread, epoll. Prints one line of JSON.
//   load closed  PORT PATH KEY BODYFILE CONNECTIONS SECONDS        as many calls as the connections can make
//   load rate    PORT PATH KEY BODYFILE CONNECTIONS SECONDS RATE   open loop: latency counts from the scheduled time
//   load streams PORT PATH KEY BODYFILE STREAMS SECONDS RATE       opens RATE streams a second and holds them, then leaves
// The first second of `closed` and `rate` is not measured. `calls` counts it; `lost` is what was due and never came.
// KEY may be @FILE: one key of the same length on each line, used in turn. EXTRA_HEADERS in the environment is sent with every call, each line ended by \r\n.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define WARM_SECONDS 1.0
#define DRAIN_SECONDS 5.0 // how long calls under way may take to end

typedef struct Conn {
  int fd, busy, waiting, in_body, chunked, status;
  long long left;          // body bytes still to come, with a content-length
  char tail[8];            // the last bytes seen, to find the last chunk
  double sent, last_event; // s
  size_t wrote, head_len;
  char head[4096];
  char *request; // its own where keys change from call to call
} Conn;

static int ep, port;
static char *request, *keys;
static size_t request_len, key_at, key_len, key_count, next_key;
static double *latencies, *gaps;
static size_t latency_count, gap_count, kept = 1 << 22;
static long long errors, refused, done_calls, all_calls, busy_count, event_count, finished;
static double started, gap_max;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}

static void dial(Conn *c) {
  if (!c->request) {
    c->request = key_count > 1 ? malloc(request_len) : request;
    if (key_count > 1) memcpy(c->request, request, request_len);
  }
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
  c->fd = socket(AF_INET, SOCK_STREAM, 0);
  int one = 1;
  setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if (connect(c->fd, (struct sockaddr *)&address, sizeof address) < 0) { perror("connect"); exit(1); }
  fcntl(c->fd, F_SETFL, O_NONBLOCK);
  struct epoll_event e = {.events = EPOLLIN, .data.ptr = c};
  epoll_ctl(ep, EPOLL_CTL_ADD, c->fd, &e);
}

static void push(Conn *c) {
  while (c->wrote < request_len) {
    ssize_t n = write(c->fd, c->request + c->wrote, request_len - c->wrote);
    if (n > 0) { c->wrote += n; continue; }
    break;
  }
  int waiting = c->wrote < request_len;
  if (waiting == c->waiting) return;
  c->waiting = waiting;
  struct epoll_event e = {.events = EPOLLIN | (waiting ? EPOLLOUT : 0), .data.ptr = c};
  epoll_ctl(ep, EPOLL_CTL_MOD, c->fd, &e);
}

static void begin(Conn *c, double at) {
  if (key_count > 1) memcpy(c->request + key_at, keys + (next_key++ % key_count) * (key_len + 1), key_len);
  c->busy = 1;
  busy_count++;
  c->in_body = c->chunked = c->status = 0;
  c->head_len = c->wrote = 0;
  c->sent = at;
  c->last_event = 0;
  memset(c->tail, 0, sizeof c->tail);
  push(c);
}

static void redial(Conn *c) {
  close(c->fd);
  c->busy = c->waiting = 0;
  dial(c);
}

static void seen(Conn *c, const char *data, size_t n) {
  size_t keep = n < sizeof c->tail ? n : sizeof c->tail;
  memmove(c->tail, c->tail + keep, sizeof c->tail - keep);
  memcpy(c->tail + sizeof c->tail - keep, data + n - keep, keep);
}

static int count_events(const char *data, size_t n) {
  int found = 0;
  for (const char *at = data; (at = memmem(at, n - (at - data), "data: {", 7)); at += 7) found++;
  return found;
}

static void note_events(Conn *c, const char *data, size_t n, double t) {
  int found = count_events(data, n);
  if (!found) return;
  event_count += found;
  if (c->last_event == 0) {
    if (latency_count < kept) latencies[latency_count++] = t - c->sent;
  } else {
    double gap = t - c->last_event;
    if (gap > gap_max) gap_max = gap;
    if (gap_count < kept) gaps[gap_count++] = gap;
  }
  c->last_event = t;
}

// Takes bytes in; 1 when the answer is whole.
static int take(Conn *c, const char *data, size_t n, int streams, double t) {
  if (!c->in_body) {
    size_t room = sizeof c->head - 1 - c->head_len, part = n < room ? n : room;
    memcpy(c->head + c->head_len, data, part);
    c->head[c->head_len + part] = 0;
    char *end = strstr(c->head, "\r\n\r\n");
    if (!end) { c->head_len += part; return 0; }
    size_t used = (size_t)(end + 4 - c->head) - c->head_len;
    c->status = atoi(c->head + 9);
    *end = 0;
    char *length = strcasestr(c->head, "content-length:");
    c->chunked = length == NULL;
    c->left = length ? atoll(length + 15) : 0;
    c->in_body = 1;
    data += used;
    n -= used;
  }
  if (streams) note_events(c, data, n, t);
  if (!c->chunked) return (c->left -= (long long)n) <= 0;
  seen(c, data, n);
  return memcmp(c->tail + 1, "\r\n0\r\n\r\n", 7) == 0;
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static double at(double *values, size_t n, double share) {
  return n == 0 ? 0 : values[(size_t)((n - 1) * share)] * 1000;
}

static char *whole_file(const char *name, long *size) {
  FILE *f = fopen(name, "rb");
  if (!f) { perror(name); exit(1); }
  fseek(f, 0, SEEK_END);
  *size = ftell(f);
  rewind(f);
  char *text = malloc(*size + 1);
  if (fread(text, 1, *size, f) != (size_t)*size) exit(1);
  text[*size] = 0;
  fclose(f);
  return text;
}

static void load_keys(const char *key) {
  long size = strlen(key);
  keys = key[0] == '@' ? whole_file(key + 1, &size) : strdup(key);
  key_len = strcspn(keys, "\n");
  key_count = key[0] == '@' ? (size_t)size / (key_len + 1) : 1;
}

static void load_request(const char *path, const char *key, const char *file) {
  long size;
  char *body = whole_file(file, &size);
  const char *extra = getenv("EXTRA_HEADERS") ? getenv("EXTRA_HEADERS") : "";
  load_keys(key);
  request = malloc(size + 1024 + strlen(extra) + key_len);
  key_at = sprintf(request, "POST %s HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ", path);
  int head = key_at + sprintf(request + key_at, "%.*s\r\n%scontent-type: application/json\r\ncontent-length: %ld\r\n\r\n",
    (int)key_len, keys, extra, size);
  memcpy(request + head, body, size);
  request_len = head + size;
  free(body);
}

int main(int argc, char **argv) {
  if (argc < 8) return fprintf(stderr, "load MODE PORT PATH KEY BODYFILE CONNECTIONS SECONDS [RATE]\n"), 2;
  signal(SIGPIPE, SIG_IGN);
  int streams = strcmp(argv[1], "streams") == 0, rated = strcmp(argv[1], "rate") == 0;
  port = atoi(argv[2]);
  load_request(argv[3], argv[4], argv[5]);
  int count = atoi(argv[6]);
  double length = atof(argv[7]), rate = argc > 8 ? atof(argv[8]) : 0;
  latencies = malloc(kept * sizeof *latencies);
  gaps = malloc(kept * sizeof *gaps);
  ep = epoll_create1(0);
  Conn *conns = calloc(count, sizeof *conns);
  if (!streams) for (int i = 0; i < count; i++) dial(&conns[i]);
  double warm = streams ? 0 : WARM_SECONDS;
  started = now();
  double stop = started + warm + length;
  int *idle = malloc(count * sizeof *idle), idle_count = 0, opened = 0;
  long long scheduled = 0;
  if (rated) for (int i = 0; i < count; i++) idle[idle_count++] = i;
  else if (!streams) for (int i = 0; i < count; i++) begin(&conns[i], now());
  struct epoll_event ready[512];
  char *buffer = malloc(1 << 18);
  long long target = rated ? (long long)((warm + length) * rate) : 0;
  double until = stop + (streams ? 0 : DRAIN_SECONDS), measured = 0;
  for (double t = started; t < until; t = now()) {
    int going = t < stop;
    if (!going && measured == 0) measured = t - started - warm;
    if (!going && busy_count == 0 && scheduled >= target) break;
    while (idle_count > 0 && scheduled < target && scheduled < (t - started) * rate) {
      begin(&conns[idle[--idle_count]], started + scheduled / rate);
      scheduled++;
    }
    if (streams) while (opened < count && opened < (t - started) * rate) {
      dial(&conns[opened]);
      begin(&conns[opened], t);
      opened++;
    }
    int n = epoll_wait(ep, ready, 512, scheduled < target || (streams && opened < count) ? 1 : 50);
    for (int i = 0; i < n; i++) {
      Conn *c = ready[i].data.ptr;
      if (ready[i].events & EPOLLOUT) push(c);
      if (!(ready[i].events & (EPOLLIN | EPOLLERR | EPOLLHUP))) continue;
      ssize_t got = read(c->fd, buffer, 1 << 18);
      double when = now();
      if (got <= 0) {
        if (got < 0 && errno == EAGAIN) continue;
        int was_busy = c->busy;
        if (was_busy) { errors++; busy_count--; }
        if (streams) { close(c->fd); continue; }
        redial(c);
        // A connection that was closed while it rested is in the list already.
        if (rated && was_busy) idle[idle_count++] = c - conns;
        else if (!rated && going) begin(c, when);
        continue;
      }
      if (!take(c, buffer, got, streams, when)) continue;
      c->busy = 0;
      busy_count--;
      all_calls++;
      if (c->status < 200 || c->status > 299) refused++;
      if (streams) { finished++; epoll_ctl(ep, EPOLL_CTL_DEL, c->fd, NULL); continue; }
      if (c->sent >= started + warm) {
        if (going) done_calls++;
        if (latency_count < kept) latencies[latency_count++] = when - c->sent;
      }
      if (rated) idle[idle_count++] = c - conns;
      else if (going) begin(c, when);
    }
  }
  if (measured == 0) measured = now() - started - warm;
  long long lost = errors + refused + (streams ? 0 : busy_count) + (target - scheduled);
  qsort(latencies, latency_count, sizeof *latencies, by_value);
  qsort(gaps, gap_count, sizeof *gaps, by_value);
  printf("{\"calls_s\":%.1f,\"calls\":%lld,\"p50_ms\":%.3f,\"p99_ms\":%.3f,\"p999_ms\":%.3f,\"max_ms\":%.3f,\"errors\":%lld,"
    "\"refused\":%lld,\"lost\":%lld,\"events\":%lld,\"gap_p99_ms\":%.1f,\"gap_max_ms\":%.1f,\"opened\":%d,\"finished\":%lld}\n",
    done_calls / measured, all_calls, at(latencies, latency_count, .5), at(latencies, latency_count, .99),
    at(latencies, latency_count, .999), at(latencies, latency_count, 1), errors, refused, lost, event_count,
    at(gaps, gap_count, .99), gap_max * 1000, opened, finished);
  return 0;
}
