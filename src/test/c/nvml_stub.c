/*
 * A libnvidia-ml.so.1 without a driver: it answers what a text file says, so that tests drive the
 * real binding. The file lies beside the library and is called <library>.txt; it is read again at
 * each call, so that it may change while a program runs. What the stub is asked to end with is
 * appended to <library>.log. Lines of the file, in any order but for "gpu":
 *
 *   driver 580.65.06
 *   record 24            bytes of a process record of _v2 and _v3: 24, or 32 as in early R535
 *   wipe                 the process functions clear the whole buffer first
 *   growing              each answer "too small" brings one more process than was there
 *   fail FUNCTION CODE   before the first gpu: for all; after a gpu: for that one
 *   hang FUNCTION        the same, but it does not return until the line is gone
 *   gpu UUID BYTES NAME  a GPU; the lines below belong to the last one
 *   used BYTES           memory in use (the driver's own 100 MiB come on top in the old form)
 *   util PERCENT, temp CELSIUS, power MILLIWATTS
 *   cpus HEX [HEX...]    the words of the affinity mask, lowest first
 *   process PID BYTES    -1 for "not available"
 *   mps PID BYTES, graphics PID BYTES
 *   minor N              the number of its device file, if the driver tells it
 *   mode N               the compute mode: 0 anybody, 2 nobody, 3 one process
 *   xid N                each such line is one event, told to who waits for it when it is new
 *   recovery N           what is to be done about the GPU, field 230; without it no such field
 *   mig UUID BYTES NAME  an instance of the last gpu, which has MIG on; what is below is of it
 *
 * -DR450: the symbols of an old driver, whose process list has 16-byte records. -DNO_FIGURES leaves
 * out temperature, power, utilisation and affinity.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OK = 0, UNINITIALIZED = 1, BAD_ARGUMENT = 2, NOT_SUPPORTED = 3, NOT_FOUND = 6, TOO_SMALL = 7,
       TIMEOUT = 10, VERSION_MISMATCH = 25, HANG = -1 };
enum { GPUS = 16, PROCESSES = 512, FAILS = 16, WORDS = 16 };

typedef struct { char function[64]; int code; } Fail;
typedef struct { uint32_t pid; int64_t bytes; } Process;
typedef struct {
  char uuid[96], name[96];
  uint64_t total, used;
  long util, temp, power;
  uint64_t cpus[WORDS];
  int words, fails, processes, mps, graphics, mode, minor, parent, on, recovery, xids, xid[FAILS];
  Fail fail[FAILS];
  Process process[PROCESSES], client[PROCESSES], drawing[FAILS];
} Gpu;

/* Of each thread its own: one reads the file while another is inside a call. */
static __thread Gpu gpu[GPUS];
static __thread int gpus, fails, record, wipe, growing;
static __thread Fail fail[FAILS];
static __thread char driver[80];
static int grown, ready;
static int told[GPUS], registered[GPUS];

static const char *beside(const char *ending) {
  static __thread char path[4096];
  Dl_info info;
  dladdr((void *)beside, &info);
  snprintf(path, sizeof path, "%s%s", info.dli_fname, ending);
  return path;
}

static void line(const char *text) {
  Gpu *g = gpus ? &gpu[gpus - 1] : NULL;
  char word[64] = "";
  int used = 0;
  if (sscanf(text, "%63s %n", word, &used) < 1) return;
  const char *rest = text + used;
  if (!strcmp(word, "driver")) sscanf(rest, "%79s", driver);
  else if (!strcmp(word, "record")) record = atoi(rest);
  else if (!strcmp(word, "wipe")) wipe = 1;
  else if (!strcmp(word, "growing")) growing = 1;
  else if (!strcmp(word, "fail") || !strcmp(word, "hang")) {
    Fail *f = g ? &g->fail[g->fails++] : &fail[fails++];
    f->code = HANG;
    sscanf(rest, "%63s %d", f->function, &f->code);
  } else if (!strcmp(word, "gpu") || !strcmp(word, "mig")) {
    int parent = -1;
    if (*word == 'm') {
      for (parent = gpus - 1; gpu[parent].parent >= 0; parent--);
      gpu[parent].on = 1;
    }
    g = &gpu[gpus++];
    memset(g, 0, sizeof *g);
    g->parent = parent;
    g->util = g->temp = g->power = g->recovery = -1;
    sscanf(rest, "%95s %lu %95[^\n]", g->uuid, &g->total, g->name);
  } else if (!g) {
    return; /* what follows describes a GPU */
  } else if (!strcmp(word, "used")) g->used = strtoull(rest, NULL, 10);
  else if (!strcmp(word, "mode")) g->mode = atoi(rest);
  else if (!strcmp(word, "minor")) g->minor = atoi(rest) + 1;
  else if (!strcmp(word, "xid")) g->xid[g->xids++] = atoi(rest);
  else if (!strcmp(word, "recovery")) g->recovery = atoi(rest);
  else if (!strcmp(word, "util")) g->util = atol(rest);
  else if (!strcmp(word, "temp")) g->temp = atol(rest);
  else if (!strcmp(word, "power")) g->power = atol(rest);
  else if (!strcmp(word, "cpus")) {
    char *end = (char *)rest;
    while (*end && *end != '\n' && g->words < WORDS) g->cpus[g->words++] = strtoull(end, &end, 16);
  } else if (!strcmp(word, "process")) {
    Process *p = &g->process[g->processes++];
    sscanf(rest, "%u %ld", &p->pid, &p->bytes);
  } else if (!strcmp(word, "graphics")) {
    Process *p = &g->drawing[g->graphics++];
    sscanf(rest, "%u %ld", &p->pid, &p->bytes);
  } else if (!strcmp(word, "mps")) {
    Process *p = &g->client[g->mps++];
    sscanf(rest, "%u %ld", &p->pid, &p->bytes);
  }
}

static void load(void) {
  char text[1024];
  gpus = fails = wipe = growing = 0;
  record = 24;
  strcpy(driver, "0.0");
  FILE *in = fopen(beside(".txt"), "r");
  if (!in) return;
  while (fgets(text, sizeof text, in)) line(text);
  fclose(in);
}

static int failing(const Fail *list, int n, const char *function) {
  for (int i = 0; i < n; i++)
    if (!strcmp(list[i].function, function)) return list[i].code;
  return OK;
}

/* Begins each function: reads the file anew and returns the code that the test wants, if any. */
static int enter(const char *function) {
  int code;
  while (load(), (code = failing(fail, fails, function)) == HANG) usleep(5000);
  return code ? code : ready ? OK : UNINITIALIZED;
}

static Gpu *device_gpu(void *device) { return &gpu[(intptr_t)device - 0x1000]; }

static int enter_gpu(void *device, const char *function) {
  int code = enter(function);
  intptr_t index = (intptr_t)device - 0x1000;
  if (code) return code;
  if (index < 0 || index >= gpus) return BAD_ARGUMENT;
  while ((code = failing(gpu[index].fail, gpu[index].fails, function)) == HANG) {
    usleep(5000);
    load();
  }
  return code;
}

#define ENTER() do { int c_ = enter(__func__); if (c_) return c_; } while (0)
#define ENTER_GPU(d) do { int c_ = enter_gpu(d, __func__); if (c_) return c_; } while (0)

static int copy(char *to, unsigned size, const char *text) {
  if (strlen(text) + 1 > size) return TOO_SMALL;
  strcpy(to, text);
  return OK;
}

int nvmlInit_v2(void) {
  ready = 1;
  grown = 0;
  int code = enter(__func__);
  ready = code == OK;
  return code;
}

int nvmlShutdown(void) {
  FILE *log = fopen(beside(".log"), "a");
  if (log) { fputs("shutdown\n", log); fclose(log); }
  ready = 0;
  return OK;
}

int nvmlSystemGetDriverVersion(char *text, unsigned size) {
  ENTER();
  return copy(text, size, driver);
}

/* Of those with that parent (-1: whole GPUs) the n-th, or -1. */
static int nth(int parent, unsigned n) {
  for (int i = 0; i < gpus; i++)
    if (gpu[i].parent == parent && n-- == 0) return i;
  return -1;
}

int nvmlDeviceGetCount_v2(unsigned *count) {
  ENTER();
  for (*count = 0; nth(-1, *count) >= 0; ++*count);
  return OK;
}

int nvmlDeviceGetMigMode(void *d, unsigned *now, unsigned *later) {
  ENTER_GPU(d);
  *now = *later = device_gpu(d)->on;
  return OK;
}

int nvmlDeviceGetMaxMigDeviceCount(void *d, unsigned *count) { ENTER_GPU(d); *count = 7; return OK; }

/* Every second place is empty, as after instances were taken away. */
int nvmlDeviceGetMigDeviceHandleByIndex(void *d, unsigned index, void **device) {
  ENTER_GPU(d);
  int i = index % 2 ? -1 : nth((intptr_t)d - 0x1000, index / 2);
  if (i < 0) return NOT_FOUND;
  *device = (void *)(intptr_t)(0x1000 + i);
  return OK;
}

int nvmlDeviceGetComputeMode(void *d, int *mode) {
  ENTER_GPU(d);
  *mode = device_gpu(d)->mode;
  return OK;
}

int nvmlDeviceGetMinorNumber(void *d, unsigned *minor) {
  ENTER_GPU(d);
  if (!device_gpu(d)->minor) return NOT_SUPPORTED;
  *minor = device_gpu(d)->minor - 1;
  return OK;
}

int nvmlEventSetCreate(void **set) { ENTER(); *set = (void *)0x1; return OK; }

int nvmlDeviceGetSupportedEventTypes(void *d, uint64_t *types) { ENTER_GPU(d); *types = 0x9; return OK; }

int nvmlDeviceRegisterEvents(void *d, uint64_t types, void *set) {
  ENTER_GPU(d);
  if (types != 0x8 || set != (void *)0x1) return BAD_ARGUMENT;
  registered[(intptr_t)d - 0x1000] = 1;
  told[(intptr_t)d - 0x1000] = device_gpu(d)->xids;
  return OK;
}

int nvmlEventSetWait_v2(void *set, uint64_t *data, unsigned milliseconds) {
  for (unsigned waited = 0; waited <= milliseconds; waited += 5) {
    ENTER();
    for (int i = 0; i < gpus; i++) {
      if (!registered[i] || told[i] >= gpu[i].xids) continue;
      data[0] = 0x1000 + i;
      data[1] = 0x8;
      data[2] = gpu[i].xid[told[i]++];
      data[3] = UINT64_MAX;
      return OK;
    }
    usleep(5000);
  }
  return TIMEOUT;
}

int nvmlDeviceGetFieldValues(void *d, int count, char *values) {
  ENTER_GPU(d);
  int32_t *field = (int32_t *)values;
  if (count != 1 || field[0] != 230 || field[1] != 0) return BAD_ARGUMENT;
  int known = device_gpu(d)->recovery >= 0;
  field[6] = 1; /* an unsigned int */
  field[7] = known ? OK : NOT_SUPPORTED;
  if (known) field[8] = device_gpu(d)->recovery;
  return OK;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned n, void **device) {
  ENTER();
  int index = nth(-1, n);
  if (index < 0) return BAD_ARGUMENT;
  *device = (void *)(intptr_t)(0x1000 + index);
  return failing(gpu[index].fail, gpu[index].fails, __func__);
}

int nvmlDeviceGetName(void *d, char *text, unsigned size) {
  ENTER_GPU(d);
  return copy(text, size, device_gpu(d)->name);
}

int nvmlDeviceGetUUID(void *d, char *text, unsigned size) {
  ENTER_GPU(d);
  return copy(text, size, device_gpu(d)->uuid);
}

#define RESERVED (100ull << 20)

int nvmlDeviceGetMemoryInfo(void *d, uint64_t *info) {
  ENTER_GPU(d);
  info[0] = device_gpu(d)->total;
  info[2] = device_gpu(d)->used + RESERVED;
  info[1] = info[0] - info[2];
  return OK;
}

#ifndef R450
int nvmlDeviceGetMemoryInfo_v2(void *d, uint64_t *info) {
  ENTER_GPU(d);
  if ((uint32_t)info[0] != 0x02000028) return VERSION_MISMATCH;
  info[1] = device_gpu(d)->total;
  info[2] = RESERVED;
  info[4] = device_gpu(d)->used;
  info[3] = info[1] - info[2] - info[4];
  return OK;
}
#endif

#ifndef NO_FIGURES
static int number(uint32_t *out, long value) {
  if (value < 0) return NOT_SUPPORTED;
  *out = value;
  return OK;
}

int nvmlDeviceGetUtilizationRates(void *d, uint32_t *rates) {
  ENTER_GPU(d);
  rates[1] = 1;
  return number(rates, device_gpu(d)->util);
}

int nvmlDeviceGetPowerUsage(void *d, uint32_t *milliwatts) {
  ENTER_GPU(d);
  return number(milliwatts, device_gpu(d)->power);
}

int nvmlDeviceGetTemperature(void *d, int sensor, uint32_t *celsius) {
  ENTER_GPU(d);
  return sensor ? BAD_ARGUMENT : number(celsius, device_gpu(d)->temp);
}

int nvmlDeviceGetCpuAffinity(void *d, unsigned words, uint64_t *mask) {
  ENTER_GPU(d);
  if (!device_gpu(d)->words) return NOT_SUPPORTED;
  for (unsigned i = 0; i < words; i++) {
    mask[i] = i < (unsigned)device_gpu(d)->words ? device_gpu(d)->cpus[i] : 0;
  }
  return OK;
}
#endif

/* Writes fields one by one, as a driver does: padding keeps what the caller had there. */
static int list(const Process *p, int n, int size, unsigned *count, char *out) {
  if (growing) n += grown;
  unsigned room = *count;
  *count = n;
  if ((int)room < n) {
    grown++;
    return TOO_SMALL;
  }
  if (wipe) memset(out, 0, (size_t)room * 32);
  for (int i = 0; i < n; i++, out += size) {
    uint32_t none = 0xFFFFFFFF;
    uint64_t guarded = 0;
    /* A process that came while the caller made room: any pid will do. */
    uint32_t pid = p[i].pid ? p[i].pid : 1;
    memcpy(out, &pid, 4);
    memcpy(out + 8, &p[i].bytes, 8);
    if (size > 16) { memcpy(out + 16, &none, 4); memcpy(out + 20, &none, 4); }
    if (size > 24) memcpy(out + 24, &guarded, 8);
  }
  return OK;
}

#ifdef R450
int nvmlDeviceGetComputeRunningProcesses(void *d, unsigned *count, char *out) {
  ENTER_GPU(d);
  return list(device_gpu(d)->process, device_gpu(d)->processes, 16, count, out);
}
#else
int nvmlDeviceGetComputeRunningProcesses_v3(void *d, unsigned *count, char *out) {
  ENTER_GPU(d);
  return list(device_gpu(d)->process, device_gpu(d)->processes, record, count, out);
}

int nvmlDeviceGetGraphicsRunningProcesses_v3(void *d, unsigned *count, char *out) {
  ENTER_GPU(d);
  return list(device_gpu(d)->drawing, device_gpu(d)->graphics, record, count, out);
}

int nvmlDeviceGetMPSComputeRunningProcesses_v3(void *d, unsigned *count, char *out) {
  ENTER_GPU(d);
  return list(device_gpu(d)->client, device_gpu(d)->mps, record, count, out);
}
#endif
