import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { turnOf } from '../../test/kit/turns.js'
import { type Sandbox, startSandbox } from './sandbox.js'
import { findIsolation } from './doctor.js'
import { DEFAULT_LIMITS } from './limits.js'
import { languages } from '../../test/kit/languages.js'

const { launcher = '', program: bubblewrap } = await findIsolation()
const folder = mkdtempSync(join(tmpdir(), 'agon-calls-'))
const root = process.getuid?.() === 0

/** What calls come to on x86_64, by their numbers; all others are passed on, or do not exist. */
const REFUSED = `29 64 68 101 103 153 154 155 159 161 163 164 165 166 167 168 169 170 171 172 173 175 176 179 227 240 246 248 249
  250 272 298 300 303 304 305 308 310 311 313 317 320 321 323 428-433 438 442`
const UNSUPPORTED = '188 189 190 197 198 199 327 328 463 466'
const IGNORED = '73 141 142 144 162 187 203 221 251 306 314'
/** System V's shared memory but for its making (30, 31, 67), semaphores, queues, inotify (253-255, 294), memfd (319), io_uring, … */
const MISSING = `27 30 31 65-67 69-71 134 136 139 156 174 177 178 180-185 202 205-212 214-216 220 236 241-245 253-256 279 294 301 312
  319 333 337-423 425-427 435 437 440 443-448 450 451 453 457-461 464 465 467-600`
/** Passed on, and refused by the kernel for useless arguments. */
const BY_ARGUMENTS = '41 56 116 149 302'
const numbers = (text: string): number[] =>
  text.split(/\s+/).flatMap((word) => {
    const [from = 0, to = from] = word.split('-').map(Number)
    return Array.from({ length: to - from + 1 }, (_, i) => from + i)
  })

/** Makes each call in a child with useless arguments, and prints what it came to. */
const PROBE = `
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
    for (long n = 0; n <= 600; n++) {
        pid_t child = fork();
        if (!child) {
            alarm(1);
            long got = syscall(n, -1L, -1L, -1L, -1L, -1L, -1L);
            _exit(got == 0 ? 1 : got == -1 && errno == EPERM ? 2 : got == -1 && errno == ENOSYS ? 3 : got == -1 && errno == EOPNOTSUPP ? 4 : 0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        printf("%ld %d\\n", n, WIFEXITED(status) ? WEXITSTATUS(status) : 9);
        fflush(stdout);
    }
    return 0;
}
`
/** Calls whose arguments matter. */
const ARGUMENTS = `
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>
#define TELL(what, got) printf("%s %s\\n", what, (got) == -1 ? strerrorname_np(errno) : "ok")
int main(void) {
    int fd = open("/tmp/x", O_RDWR | O_CREAT, 0600), shared = open("/usr/bin/env", O_RDONLY);
    long flags = 0x40, hint = 5;
    int owner[2] = {1, getpid()};
    struct flock lock = {.l_type = F_RDLCK};
    TELL("attribute", fsetxattr(fd, "user.note", "x", 1, 0));
    TELL("setxattrat", syscall(463, fd, "", AT_EMPTY_PATH, "user.note", 0, 0));
    TELL("flags", ioctl(fd, _IOW('f', 2, long), &flags));
    TELL("fsxattr", ioctl(fd, _IOW('X', 32, char[28]), &flags));
    TELL("version", ioctl(fd, _IOW('v', 2, long), &flags));
    TELL("hint", fcntl(fd, 1036, &hint));
    TELL("file-hint", fcntl(fd, 1038, &hint));
    TELL("lease", fcntl(shared, F_SETLEASE, F_RDLCK));
    TELL("notify", fcntl(fd, F_NOTIFY, 1));
    TELL("async", fcntl(fd, F_SETFL, O_ASYNC | O_NONBLOCK));
    TELL("not-async", fcntl(fd, F_SETFL, O_NONBLOCK | O_APPEND));
    TELL("async-ioctl", ioctl(fd, FIOASYNC, &flags));
    TELL("owner", fcntl(fd, F_SETOWN, getpid()));
    TELL("owner-ex", fcntl(fd, 15, owner));
    TELL("owner-ioctl", ioctl(fd, 0x8901, &hint));
    TELL("owner-socket", ioctl(fd, 0x8902, &hint));
    TELL("signal", fcntl(fd, F_SETSIG, SIGUSR1));
    TELL("pipe-size", fcntl(fd, F_SETPIPE_SZ, 1 << 20));
    TELL("lock", flock(shared, LOCK_EX));
    TELL("range", fcntl(shared, F_SETLK, &lock));
    TELL("whose", fcntl(shared, F_GETLK, &lock));
    TELL("inotify", syscall(SYS_inotify_init1, 0));
    TELL("fanotify", syscall(SYS_fanotify_init, 0, 0));
    TELL("memfd", syscall(SYS_memfd_create, "x", 0));
    TELL("seccomp", prctl(PR_SET_SECCOMP, 2, 0));
    TELL("cookie", prctl(62, 1, 0, 0, 0));
    TELL("zero", open("/dev/zero", O_RDWR));
    TELL("zero-read", open("/dev/zero", O_RDONLY));
    for (int family = 0; family < 50; family++) {
        int opened = socket(family, SOCK_STREAM, 0) >= 0 || socket(family, SOCK_DGRAM, 0) >= 0 || socket(family, SOCK_RAW, 0) >= 0;
        int pair[2], paired = socketpair(family, SOCK_STREAM, 0, pair) == 0, unavailable = errno == EAFNOSUPPORT;
        if (opened || paired || !unavailable) printf("family-%d %s%s\\n", family, opened ? "socket" : "", paired ? "pair" : "");
    }
    char byte;
    struct iovec place = {&byte, 1};
    TELL("nowait", syscall(SYS_preadv2, shared, &place, 1L, 0L, 0L, 8));
    TELL("nowait-write", syscall(SYS_pwritev2, fd, &place, 1L, 0L, 0L, 8));
    TELL("preadv2", syscall(SYS_preadv2, shared, &place, 1L, 0L, 0L, 0) == 1 ? 0 : -1);
    TELL("pwritev2", syscall(SYS_pwritev2, fd, &place, 1L, 0L, 0L, 2) == 1 ? 0 : -1);
    TELL("fadvise", posix_fadvise(shared, 0, 0, POSIX_FADV_DONTNEED) ? -1 : 0);
    TELL("mincore", mincore(&place, 1, (unsigned char *)&byte));
    TELL("limits-own", syscall(SYS_prlimit64, 0, 7, 0, 0));
    TELL("limits-other", syscall(SYS_prlimit64, 1, 7, 0, 0));
    struct rlimit core = {0, 0}, files = {9, 9};
    long core_set = syscall(SYS_setrlimit, RLIMIT_CORE, &core) | syscall(SYS_prlimit64, 0, RLIMIT_CORE, &core, 0);
    core.rlim_cur = 7;
    TELL("limits-core", core_set == 0 && getrlimit(RLIMIT_CORE, &core) == 0 && core.rlim_cur == 1 && core.rlim_max == 1 ? 0 : -1);
    TELL("limits-lower", setrlimit(RLIMIT_NOFILE, &files) == 0 && getrlimit(RLIMIT_NOFILE, &core) == 0 && core.rlim_cur == 9 ? 0 : -1);
    TELL("shared", mmap(0, 4096, 3, MAP_SHARED | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0);
    TELL("private", mmap(0, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0);
    TELL("file", (ftruncate(fd, 4096), mmap(0, 4096, 3, MAP_SHARED, fd, 0) == MAP_FAILED ? -1 : 0));
    return 0;
}
`

const open = (counted: boolean): Promise<Sandbox> =>
  startSandbox({
    launcher,
    bubblewrap: bubblewrap ?? '',
    source: folder,
    also: [],
    tools: {},
    limits: DEFAULT_LIMITS,
    cgroup: counted ? { folders: [], memory: true, outOfMemory: () => 0, remove: async () => undefined } : undefined,
    user: root ? 1_700_000_003 : undefined,
  })

describe.runIf(bubblewrap !== undefined)('the system calls of a sandbox', () => {
  let sandbox: Sandbox
  beforeAll(async () => {
    chmodSync(folder, 0o755)
    for (const [name, text] of Object.entries({ probe: PROBE, arguments: ARGUMENTS })) {
      writeFileSync(join(folder, `${name}.c`), text)
      execFileSync('cc', ['-O1', '-w', '-o', join(folder, name), join(folder, `${name}.c`)])
    }
    for (const { files, build } of languages) {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
      if (build) spawnSync(build[0] ?? '', build.slice(1), { cwd: folder, stdio: 'inherit' })
    }
    mkdirSync(join(folder, 'empty'), { recursive: true })
    sandbox = await open(true)
  })
  afterAll(async () => {
    await sandbox.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it.runIf(process.arch === 'x64')(
    'are refused, missing or without effect as the table says, each number to 600',
    async () => {
      const { out } = await sandbox.turn(turnOf(['/bot/probe']))
      const came = new Map(
        out
          .trim()
          .split('\n')
          .map((line) => line.split(' ').map(Number) as [number, number]),
      )
      expect(came.size).toBe(601)
      const of = (code: number) => [...came].flatMap(([number, got]) => (got === code ? [number] : []))
      expect(of(1)).toEqual(expect.arrayContaining(numbers(IGNORED)))
      const kernel = new Set(numbers(BY_ARGUMENTS))
      expect(of(2).filter((number) => !kernel.has(number))).toEqual(numbers(REFUSED))
      expect(of(3)).toEqual(numbers(MISSING))
      expect(of(4)).toEqual(numbers(UNSUPPORTED))
    },
  )
  it('are judged by their arguments', async () => {
    const { out } = await sandbox.turn(turnOf(['/bot/arguments']))
    expect(
      Object.fromEntries(
        out
          .trim()
          .split('\n')
          .map((line) => line.split(' ')),
      ),
    ).toEqual({
      attribute: 'EOPNOTSUPP',
      setxattrat: 'EOPNOTSUPP',
      flags: 'ENOTTY',
      fsxattr: 'ENOTTY',
      version: 'ENOTTY',
      hint: 'EINVAL',
      'file-hint': 'EINVAL',
      lease: 'EINVAL',
      notify: 'EINVAL',
      async: 'EINVAL',
      'not-async': 'ok',
      'async-ioctl': 'ENOTTY',
      owner: 'EINVAL',
      'owner-ex': 'EINVAL',
      'owner-ioctl': 'ENOTTY',
      'owner-socket': 'ENOTTY',
      signal: 'EINVAL',
      'pipe-size': 'EINVAL',
      lock: 'ok',
      range: 'ok',
      whose: 'EINVAL',
      inotify: 'ENOSYS',
      fanotify: 'EPERM',
      memfd: 'ENOSYS',
      seccomp: 'EINVAL',
      cookie: 'EINVAL',
      zero: 'EACCES',
      'zero-read': 'ok',
      'family-1': 'socketpair',
      nowait: 'EOPNOTSUPP',
      'nowait-write': 'EOPNOTSUPP',
      preadv2: 'ok',
      pwritev2: 'ok',
      fadvise: 'ok',
      mincore: 'ENOSYS',
      'limits-own': 'ok',
      'limits-other': 'EPERM',
      'limits-core': 'ok',
      'limits-lower': 'ok',
      shared: 'ok',
      private: 'ok',
      file: 'ok',
    })
  })

  it('give no memory that counts for no process, where no cgroup counts it', async () => {
    const alike = await open(false)
    const { out } = await alike.turn(turnOf(['/bot/arguments']))
    expect(out).toContain('shared ENOMEM\nprivate ok\nfile ok\n')
    await alike.close()
  })

  it.each(languages.filter(({ there }) => there))('are enough for $name', async ({ argv }) => {
    const result = await sandbox.turn(turnOf(argv))
    expect([result.out, result.stderr.toString(), result.end]).toEqual(['all right\n', '', { code: 0 }])
  })
})
