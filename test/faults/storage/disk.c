/* Stands in front of libc's file calls and lets those on the database fail as a disk does, told by one mapped byte. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile unsigned char *told;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("DISK_FAULT");
  int fd = path ? open(path, O_RDONLY) : -1;
  if (fd < 0) return;
  void *map = mmap(NULL, 1, PROT_READ, MAP_SHARED, fd, 0);
  if (map != MAP_FAILED) told = map;
  close(fd);
}

/* f: full for the database, F: for the journal, too; r: read-only; u: unreadable; s: silent. */
static char fault(int fd) {
  char link[32], name[512];
  if (!told || !*told || *told == '-') return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t size = readlink(link, name, sizeof name - 1);
  if (size < 0) return 0;
  name[size] = 0;
  if (strstr(name, "weir.db")) return *told == 'F' ? 'f' : *told;
  return *told == 'F' && strstr(name, "/journal/") ? 'f' : 0;
}

static int writing(int fd) {
  switch (fault(fd)) {
    case 'f': errno = ENOSPC; return -1;
    case 'r': errno = EROFS; return -1;
    default: return 0;
  }
}

static void syncing(int fd) {
  while (fault(fd) == 's') usleep(10000);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define WRITER(name, offset) \
  ssize_t name(int fd, const void *bytes, size_t count, offset at) { return writing(fd) ? -1 : REAL(name)(fd, bytes, count, at); }
#define READER(name, offset) \
  ssize_t name(int fd, void *bytes, size_t count, offset at) { \
    if (fault(fd) == 'u') { errno = EIO; return -1; } \
    return REAL(name)(fd, bytes, count, at); \
  }

WRITER(pwrite, off_t)
WRITER(pwrite64, off64_t)
READER(pread, off_t)
READER(pread64, off64_t)
ssize_t write(int fd, const void *bytes, size_t count) { return writing(fd) ? -1 : REAL(write)(fd, bytes, count); }
int fsync(int fd) { syncing(fd); return REAL(fsync)(fd); }
int fdatasync(int fd) { syncing(fd); return REAL(fdatasync)(fd); }
