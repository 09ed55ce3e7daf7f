// A load generator that is never the bottleneck: one thread, epoll. Prints one line of JSON.
//   load closed  PORT PATH KEY BODYFILE CONNECTIONS SECONDS        as many calls as the connections can make
//   load rate    PORT PATH KEY BODYFILE CONNECTIONS SECONDS RATE   open loop: latency counts from the scheduled time
//   load streams PORT PATH KEY BODYFILE STREAMS SECONDS RATE       opens RATE streams a second and holds them
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

typedef struct Conn {
  int fd, busy, in_body, chunked, status;
  long long left;          // body bytes still to come, with a content-length
  char tail[8];            // the last bytes seen, to find the last chunk
  double sent, last_event; // s
  size_t wrote, head_len;
  char head[4096];
} Conn;

static int ep, port;
static char *request;
static size_t request_len;
static double *latencies, *gaps;
static size_t latency_count, gap_count, kept = 1 << 22;
static long long errors, refused, done_calls, event_count, finished;
static double started, gap_max;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}

static void dial(Conn *c) {
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
    ssize_t n = write(c->fd, request + c->wrote, request_len - c->wrote);
    if (n > 0) { c->wrote += n; continue; }
    break;
  }
  struct epoll_event e = {.events = EPOLLIN | (c->wrote < request_len ? EPOLLOUT : 0), .data.ptr = c};
  epoll_ctl(ep, EPOLL_CTL_MOD, c->fd, &e);
}

static void begin(Conn *c, double at) {
  c->busy = 1;
  c->in_body = c->chunked = c->status = 0;
  c->head_len = c->wrote = 0;
  c->sent = at;
  c->last_event = 0;
  memset(c->tail, 0, sizeof c->tail);
  push(c);
}

static void redial(Conn *c) {
  close(c->fd);
  c->busy = 0;
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

static void load_request(const char *path, const char *key, const char *file) {
  FILE *f = fopen(file, "rb");
  if (!f) { perror(file); exit(1); }
  fseek(f, 0, SEEK_END);
  long size = ftell(f);
  rewind(f);
  request = malloc(size + 1024);
  int head = sprintf(request, "POST %s HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer %s\r\n"
    "content-type: application/json\r\ncontent-length: %ld\r\n\r\n", path, key, size);
  if (fread(request + head, 1, size, f) != (size_t)size) exit(1);
  request_len = head + size;
  fclose(f);
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
  for (double t = started; t < stop; t = now()) {
    if (rated) while (idle_count > 0 && scheduled < (t - started) * rate) {
      begin(&conns[idle[--idle_count]], started + scheduled / rate);
      scheduled++;
    }
    if (streams) while (opened < count && opened < (t - started) * rate) {
      dial(&conns[opened]);
      begin(&conns[opened], t);
      opened++;
    }
    int n = epoll_wait(ep, ready, 512, rated || (streams && opened < count) ? 1 : 50);
    for (int i = 0; i < n; i++) {
      Conn *c = ready[i].data.ptr;
      if (ready[i].events & EPOLLOUT) push(c);
      if (!(ready[i].events & (EPOLLIN | EPOLLERR | EPOLLHUP))) continue;
      ssize_t got = read(c->fd, buffer, 1 << 18);
      double when = now();
      if (got <= 0) {
        if (got < 0 && errno == EAGAIN) continue;
        if (c->busy) errors++;
        redial(c);
        if (rated) idle[idle_count++] = c - conns;
        else if (!streams) begin(c, when);
        continue;
      }
      if (!take(c, buffer, got, streams, when)) continue;
      c->busy = 0;
      if (streams) { finished++; epoll_ctl(ep, EPOLL_CTL_DEL, c->fd, NULL); continue; }
      if (c->sent >= started + warm) {
        done_calls++;
        if (c->status < 200 || c->status > 299) refused++;
        if (latency_count < kept) latencies[latency_count++] = when - c->sent;
      }
      if (rated) idle[idle_count++] = c - conns;
      else begin(c, when);
    }
  }
  double took = now() - started - warm;
  long long behind = rated ? (long long)((took + warm) * rate) - scheduled : 0;
  qsort(latencies, latency_count, sizeof *latencies, by_value);
  qsort(gaps, gap_count, sizeof *gaps, by_value);
  printf("{\"calls_s\":%.1f,\"p50_ms\":%.3f,\"p99_ms\":%.3f,\"max_ms\":%.3f,\"errors\":%lld,\"refused\":%lld,\"behind\":%lld,"
    "\"events_s\":%.1f,\"gap_p99_ms\":%.1f,\"gap_max_ms\":%.1f,\"opened\":%d,\"finished\":%lld}\n",
    done_calls / took, at(latencies, latency_count, .5), at(latencies, latency_count, .99), at(latencies, latency_count, 1),
    errors, refused, behind, event_count / took, at(gaps, gap_count, .99), gap_max * 1000, opened, finished);
  return 0;
}
