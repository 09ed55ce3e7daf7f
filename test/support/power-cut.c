/* Stands in front of libc's file calls and remembers what each write replaced until it is flushed. Told by one mapped byte,
   it takes back all that is not flushed, or a part of it, and ends the process: what a disk has after the power was cut.
   c: nothing that was not flushed is kept; r: of each write either all or nothing, by chance. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* `old` is what stood at `at`; `size` the file's size before, `end` where the write ended. */
struct change { struct change *next; off64_t at, size, end; size_t had; char *old; };
/* Its descriptor is never closed: closing one lets go of the locks that the process has on the file. */
struct file { struct file *next; dev_t device; ino_t number; int fd; struct change *changes; };

static volatile unsigned char *told;
static struct file *files;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static int ours(int fd) {
  char link[32], name[512];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t size = readlink(link, name, sizeof name - 1);
  if (size < 0) return 0;
  name[size] = 0;
  return strstr(name, "weir.db") != NULL || strstr(name, "/journal/") != NULL;
}

static struct file *file_of(int fd) {
  struct stat is;
  if (!told || fstat(fd, &is) != 0 || !S_ISREG(is.st_mode)) return NULL;
  for (struct file *file = files; file; file = file->next)
    if (file->device == is.st_dev && file->number == is.st_ino) return file;
  if (!ours(fd)) return NULL;
  char link[32];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  struct file *file = calloc(1, sizeof *file);
  *file = (struct file){ files, is.st_dev, is.st_ino, open(link, O_RDWR | O_CLOEXEC), NULL };
  return files = file;
}

/* What stands between `at` and `end`, before it is changed. */
static void remember(struct file *file, off64_t at, off64_t end) {
  struct stat is;
  fstat(file->fd, &is);
  struct change *change = calloc(1, sizeof *change);
  *change = (struct change){ file->changes, at, is.st_size, end, 0, NULL };
  if (at < is.st_size) {
    change->had = (end < is.st_size ? end : is.st_size) - at;
    change->old = malloc(change->had);
    if (REAL(pread64)(file->fd, change->old, change->had, at) != (ssize_t)change->had) abort();
  }
  file->changes = change;
}

static void flushed(struct file *file) {
  for (struct change *change = file->changes, *next; change; change = next) {
    next = change->next;
    free(change->old);
    free(change);
  }
  file->changes = NULL;
}

static void take_back(struct file *file, int chance) {
  for (struct change *change = file->changes; change; change = change->next) {
    struct stat is;
    if (chance && rand() % 2) continue;
    if (change->had) REAL(pwrite64)(file->fd, change->old, change->had, change->at);
    fstat(file->fd, &is);
    /* What was behind the end of the file goes, where nothing that stays lies behind it. */
    if (change->end > change->size && is.st_size == change->end) REAL(ftruncate64)(file->fd, change->size);
  }
}

static void *watch(void *none) {
  while (*told == '-') usleep(500);
  pthread_mutex_lock(&turn);
  srand(getpid());
  for (struct file *file = files; file; file = file->next) take_back(file, *told == 'r');
  kill(getpid(), SIGKILL);
  return none;
}

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("POWER");
  int fd = path ? open(path, O_RDONLY) : -1;
  pthread_t thread;
  if (fd < 0) return;
  void *map = mmap(NULL, 1, PROT_READ, MAP_SHARED, fd, 0);
  if (map == MAP_FAILED) return;
  told = map;
  close(fd);
  pthread_create(&thread, NULL, watch, NULL);
}

static int waits(int fd) { return !(fcntl(fd, F_GETFL) & (O_SYNC | O_DSYNC)); }

static ssize_t writing(int fd, const void *bytes, size_t count, off64_t at, int here) {
  pthread_mutex_lock(&turn);
  struct file *file = file_of(fd);
  if (file && waits(fd)) {
    off64_t begin = here ? lseek64(fd, 0, SEEK_CUR) : at;
    remember(file, begin, begin + (off64_t)count);
  }
  ssize_t done = here ? REAL(write)(fd, bytes, count) : REAL(pwrite64)(fd, bytes, count, at);
  pthread_mutex_unlock(&turn);
  return done;
}

static int cutting(int fd, off64_t size) {
  pthread_mutex_lock(&turn);
  struct file *file = file_of(fd);
  struct stat is;
  if (file && fstat(fd, &is) == 0 && size < is.st_size) {
    remember(file, size, is.st_size);
    file->changes->end = size;
  }
  int done = REAL(ftruncate64)(fd, size);
  pthread_mutex_unlock(&turn);
  return done;
}

/* What is written while it is flushed is not known to be: it is flushed under the lock. */
static int flushing(int fd, int (*flush)(int)) {
  pthread_mutex_lock(&turn);
  struct file *file = file_of(fd);
  int done = flush(fd);
  if (file && done == 0) flushed(file);
  pthread_mutex_unlock(&turn);
  return done;
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) { return writing(fd, bytes, count, at, 0); }
ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) { return writing(fd, bytes, count, at, 0); }
ssize_t write(int fd, const void *bytes, size_t count) {
  return told && ours(fd) ? writing(fd, bytes, count, 0, 1) : REAL(write)(fd, bytes, count);
}
int ftruncate(int fd, off_t size) { return cutting(fd, size); }
int ftruncate64(int fd, off64_t size) { return cutting(fd, size); }
int fsync(int fd) { return flushing(fd, REAL(fsync)); }
int fdatasync(int fd) { return flushing(fd, REAL(fdatasync)); }
