// A mock upstream that is never the bottleneck: one thread, epoll, chat answers in the OpenAI shape; streams at
// /v1/messages in Anthropic's.
// Markers anywhere in the request's body choose the answer: [[size=8192]] bytes of JSON, [[chunks=50]] events of a
// stream, [[gap=20]] ms between events (without it they come as fast as they are read). GET /stats tells what it has
// seen. Usage: mock PORT
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

#define EVENT_BYTES 200
#define AHEAD 65536 // bytes of a burst that are made ahead of the reader

typedef struct Conn {
  int fd, open, chunks, chunks_left, gap, burst, waiting, messages;
  char *in, *out;
  size_t in_len, in_cap, out_at, out_len, out_cap;
  long long next; // ms, when the next event of a slow stream is due
  struct Conn *prev_slow, *next_slow;
  int slow;
} Conn;

static int ep;
static Conn *slow_head;
static long long requests, streams, open_streams, aborted, events;

static long long now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

static void put(Conn *c, const char *data, size_t n) {
  if (c->out_len + n > c->out_cap) {
    c->out_cap = (c->out_len + n) * 2;
    c->out = realloc(c->out, c->out_cap);
  }
  memcpy(c->out + c->out_len, data, n);
  c->out_len += n;
}

static void unslow(Conn *c) {
  if (!c->slow) return;
  if (c->prev_slow) c->prev_slow->next_slow = c->next_slow; else slow_head = c->next_slow;
  if (c->next_slow) c->next_slow->prev_slow = c->prev_slow;
  c->prev_slow = c->next_slow = NULL;
  c->slow = 0;
}

static void drop(Conn *c) {
  if (c->open) { aborted++; open_streams--; }
  unslow(c);
  close(c->fd);
  free(c->in);
  free(c->out);
  free(c);
}

static void chunk(Conn *c, const char *data, size_t n) {
  char head[32];
  put(c, head, snprintf(head, sizeof head, "%zx\r\n", n));
  put(c, data, n);
  put(c, "\r\n", 2);
}

// An event of Anthropic's format, and what begins and ends its stream.
static void message_event(Conn *c) {
  static const char start[] = "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,"
    "\"delta\":{\"type\":\"text_delta\",\"text\":\"";
  static const char end[] = "\"}}\n\n";
  char buffer[EVENT_BYTES + 64];
  size_t fill = EVENT_BYTES - (sizeof start - 1) - (sizeof end - 1);
  memcpy(buffer, start, sizeof start - 1);
  memset(buffer + sizeof start - 1, 'x', fill);
  memcpy(buffer + sizeof start - 1 + fill, end, sizeof end - 1);
  chunk(c, buffer, EVENT_BYTES);
  events++;
}

static void message_start(Conn *c) {
  static const char start[] = "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"msg_mock\","
    "\"type\":\"message\",\"role\":\"assistant\",\"model\":\"mock\",\"content\":[],\"stop_reason\":null,"
    "\"stop_sequence\":null,\"usage\":{\"input_tokens\":200,\"output_tokens\":1}}}\n\n"
    "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,"
    "\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n";
  chunk(c, start, sizeof start - 1);
}

static void message_end(Conn *c) {
  char end[400];
  int n = snprintf(end, sizeof end, "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n"
    "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\","
    "\"stop_sequence\":null},\"usage\":{\"output_tokens\":%d}}\n\n"
    "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n", c->chunks);
  chunk(c, end, n);
}

static void event(Conn *c) {
  if (c->messages) { message_event(c); return; }
  static const char start[] = "data: {\"id\":\"chatcmpl-mock\",\"object\":\"chat.completion.chunk\",\"created\":1750000000,"
    "\"model\":\"mock\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"";
  static const char end[] = "\"},\"finish_reason\":null}]}\n\n";
  char buffer[EVENT_BYTES + 64];
  size_t fill = EVENT_BYTES - (sizeof start - 1) - (sizeof end - 1);
  memcpy(buffer, start, sizeof start - 1);
  memset(buffer + sizeof start - 1, 'x', fill);
  memcpy(buffer + sizeof start - 1 + fill, end, sizeof end - 1);
  chunk(c, buffer, EVENT_BYTES);
  events++;
}

static void finish(Conn *c) {
  char usage[320];
  static const char last[] = "data: {\"id\":\"chatcmpl-mock\",\"object\":\"chat.completion.chunk\",\"created\":1750000000,"
    "\"model\":\"mock\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
  int n = snprintf(usage, sizeof usage, "data: {\"id\":\"chatcmpl-mock\",\"object\":\"chat.completion.chunk\",\"created\":1750000000,"
    "\"model\":\"mock\",\"choices\":[],\"usage\":{\"prompt_tokens\":200,\"completion_tokens\":%d,\"total_tokens\":%d}}\n\n",
    c->chunks, c->chunks + 200);
  if (c->messages) message_end(c);
  else {
    chunk(c, last, sizeof last - 1);
    chunk(c, usage, n);
    chunk(c, "data: [DONE]\n\n", 14);
  }
  put(c, "0\r\n\r\n", 5);
  c->open = 0;
  open_streams--;
  unslow(c);
}

// Makes the next part of a burst.
static void refill(Conn *c) {
  while (c->burst && c->out_len < AHEAD) {
    event(c);
    if (--c->burst == 0) finish(c);
  }
}

static int flush(Conn *c) {
  for (;;) {
    if (c->out_at == c->out_len) {
      c->out_at = c->out_len = 0;
      if (!c->burst) break;
      refill(c);
    }
    ssize_t n = write(c->fd, c->out + c->out_at, c->out_len - c->out_at);
    if (n > 0) { c->out_at += n; continue; }
    if (n < 0 && errno == EAGAIN) break;
    return -1;
  }
  int waiting = c->out_len > 0;
  if (waiting == c->waiting) return 0;
  c->waiting = waiting;
  struct epoll_event e = {.events = EPOLLIN | (waiting ? EPOLLOUT : 0), .data.ptr = c};
  epoll_ctl(ep, EPOLL_CTL_MOD, c->fd, &e);
  return 0;
}

static int marker(const char *body, const char *name, int otherwise) {
  char wanted[32];
  snprintf(wanted, sizeof wanted, "[[%s=", name);
  const char *at = strstr(body, wanted);
  return at ? atoi(at + strlen(wanted)) : otherwise;
}

static void answer_json(Conn *c, int size) {
  static const char start[] = "{\"id\":\"chatcmpl-mock\",\"object\":\"chat.completion\",\"created\":1750000000,\"model\":\"mock\","
    "\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"";
  static const char end[] = "\"},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":200,\"completion_tokens\":50,\"total_tokens\":250}}";
  int fill = size - (int)(sizeof start - 1) - (int)(sizeof end - 1);
  if (fill < 0) fill = 0;
  char head[160];
  put(c, head, snprintf(head, sizeof head, "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n",
    fill + (int)(sizeof start - 1) + (int)(sizeof end - 1)));
  put(c, start, sizeof start - 1);
  char *text = malloc(fill + 1);
  memset(text, 'y', fill);
  put(c, text, fill);
  free(text);
  put(c, end, sizeof end - 1);
}

static void answer_stream(Conn *c, int chunks, int gap) {
  static const char head[] = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
  put(c, head, sizeof head - 1);
  streams++;
  open_streams++;
  c->open = 1;
  c->chunks = chunks;
  if (c->messages) message_start(c);
  if (gap == 0) {
    c->burst = chunks;
    refill(c);
    return;
  }
  event(c);
  c->chunks_left = chunks - 1;
  c->gap = gap;
  c->next = now_ms() + gap;
  c->slow = 1;
  c->prev_slow = NULL;
  c->next_slow = slow_head;
  if (slow_head) slow_head->prev_slow = c;
  slow_head = c;
}

static void answer(Conn *c, const char *head, const char *body) {
  if (strncmp(head, "GET /stats", 10) == 0) {
    char json[200], all[400];
    int n = snprintf(json, sizeof json, "{\"requests\":%lld,\"streams\":%lld,\"open\":%lld,\"aborted\":%lld,\"events\":%lld}",
      requests, streams, open_streams, aborted, events);
    put(c, all, snprintf(all, sizeof all, "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%s", n, json));
    return;
  }
  requests++;
  c->messages = strncmp(head, "POST /v1/messages", 17) == 0;
  int chunks = marker(body, "chunks", 0);
  if (chunks > 0) answer_stream(c, chunks, marker(body, "gap", 0));
  else answer_json(c, marker(body, "size", 600));
}

// Answers every whole request in the buffer.
static void serve(Conn *c) {
  for (;;) {
    c->in[c->in_len] = 0;
    char *end = strstr(c->in, "\r\n\r\n");
    if (!end) return;
    char *length = strcasestr(c->in, "content-length:");
    if ((!length || length > end) && strncmp(c->in, "POST", 4) == 0) {
      put(c, "HTTP/1.1 411 Length Required\r\ncontent-length: 0\r\n\r\n", 51);
      c->in_len = 0;
      return;
    }
    size_t body = length && length < end ? (size_t)atoll(length + 15) : 0;
    size_t whole = (size_t)(end - c->in) + 4 + body;
    if (c->in_len < whole) return;
    char kept = c->in[whole];
    c->in[whole] = 0;
    answer(c, c->in, end + 4);
    c->in[whole] = kept;
    memmove(c->in, c->in + whole, c->in_len - whole);
    c->in_len -= whole;
  }
}

static int readable(Conn *c) {
  for (;;) {
    if (c->in_len + 65536 > c->in_cap) {
      c->in_cap = (c->in_len + 65536) * 2;
      c->in = realloc(c->in, c->in_cap + 1);
    }
    ssize_t n = read(c->fd, c->in + c->in_len, c->in_cap - c->in_len);
    if (n > 0) { c->in_len += n; continue; }
    if (n < 0 && errno == EAGAIN) break;
    return -1;
  }
  serve(c);
  return flush(c);
}

static void tick(void) {
  long long now = now_ms();
  for (Conn *c = slow_head, *next; c; c = next) {
    next = c->next_slow;
    if (now < c->next) continue;
    while (c->slow && now >= c->next) {
      if (c->chunks_left-- > 0) { event(c); c->next += c->gap; } else finish(c);
    }
    if (flush(c) < 0) drop(c);
  }
}

static void accept_all(int listener) {
  for (;;) {
    int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
    if (fd < 0) return;
    int one = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    Conn *c = calloc(1, sizeof *c);
    c->fd = fd;
    struct epoll_event e = {.events = EPOLLIN, .data.ptr = c};
    epoll_ctl(ep, EPOLL_CTL_ADD, fd, &e);
  }
}

int main(int argc, char **argv) {
  signal(SIGPIPE, SIG_IGN);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(argc > 1 ? atoi(argv[1]) : 9000)};
  inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), one = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) < 0 || listen(listener, 4096) < 0) {
    perror("mock");
    return 1;
  }
  ep = epoll_create1(0);
  struct epoll_event e = {.events = EPOLLIN, .data.ptr = NULL};
  epoll_ctl(ep, EPOLL_CTL_ADD, listener, &e);
  struct epoll_event ready[512];
  for (;;) {
    int n = epoll_wait(ep, ready, 512, slow_head ? 1 : 1000);
    for (int i = 0; i < n; i++) {
      Conn *c = ready[i].data.ptr;
      if (!c) { accept_all(listener); continue; }
      int bad = (ready[i].events & EPOLLIN) ? readable(c) : 0;
      if (!bad && (ready[i].events & EPOLLOUT)) bad = flush(c);
      if (bad || (ready[i].events & (EPOLLERR | EPOLLHUP))) drop(c);
    }
    if (slow_head) tick();
  }
}
