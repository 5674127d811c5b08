import { spawnSync } from 'node:child_process'

/** A program in one language that exercises its standard library in a sandbox and prints 'all right'. */
export interface Exercise {
  readonly name: string
  /** As the sandbox knows it; its folder is /bot. */
  readonly argv: readonly string[]
  readonly files: Readonly<Record<string, string>>
  readonly build?: readonly string[]
  /** This machine has the language. */
  readonly there: boolean
}

const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

const PYTHON = `
import asyncio, decimal, fcntl, json, locale, mmap, multiprocessing, os, queue, random, re, select, signal, socket, sqlite3
import shutil, subprocess, sys, tempfile, threading, time, zlib, hashlib, resource, glob, struct, concurrent.futures
def square(n): return n * n
def main():
    locale.setlocale(locale.LC_ALL, 'C.UTF-8')
    assert subprocess.run(['sh', '-c', 'echo hi'], capture_output=True, text=True).stdout == 'hi\\n'
    t = threading.Thread(target=time.sleep, args=(0.01,)); t.start(); t.join()
    with concurrent.futures.ThreadPoolExecutor(4) as pool: assert list(pool.map(square, range(5))) == [0, 1, 4, 9, 16]
    with multiprocessing.get_context('fork').Pool(2) as pool: assert pool.map(square, [3, 4]) == [9, 16]
    with multiprocessing.get_context('spawn').Pool(1) as pool: assert pool.map(square, [5]) == [25]
    with tempfile.NamedTemporaryFile('w+', dir='/tmp') as f:
        f.write('x' * 5000); f.flush()
        fcntl.flock(f, fcntl.LOCK_EX); fcntl.lockf(f, fcntl.LOCK_EX)
        os.utime(f.name, (1, 1)); os.chmod(f.name, 0o600); shutil.copy2(f.name, '/tmp/copy'); os.rename('/tmp/copy', '/tmp/moved')
        with open(f.name, 'r+b') as g, mmap.mmap(g.fileno(), 0) as m: assert m[0] == 120
    os.makedirs('/tmp/a/b', exist_ok=True); assert glob.glob('/tmp/a/*') == ['/tmp/a/b']; shutil.rmtree('/tmp/a')
    with mmap.mmap(-1, 4096) as m: m[0] = 1
    got = []
    signal.signal(signal.SIGALRM, lambda *_: got.append(1)); signal.setitimer(signal.ITIMER_REAL, 0.01); time.sleep(0.05); assert got
    server = socket.socket(socket.AF_UNIX); server.bind('/tmp/door'); server.listen()
    client = socket.socket(socket.AF_UNIX); client.connect('/tmp/door'); a, _ = server.accept(); client.sendall(b'x'); assert a.recv(1) == b'x'
    for s in (server, client, a): s.close()
    import http.client, urllib.request, ssl
    for reach in (lambda: socket.create_connection(('192.0.2.1', 80), 1), socket.socket, lambda: urllib.request.urlopen('http://192.0.2.1')):
        try: reach()
        except OSError: pass
        else: assert 0
    socket.gethostname()
    p, q = socket.socketpair(); p.send(b'y'); assert select.select([q], [], [], 1)[0] and q.recv(1) == b'y'; p.close(); q.close()
    poll = select.epoll(); poll.close()
    async def go():
        proc = await asyncio.create_subprocess_exec('echo', 'z', stdout=-1); return (await proc.communicate())[0]
    assert asyncio.run(go()) == b'z\\n'
    db = sqlite3.connect('/tmp/db'); db.execute('create table t(x)'); db.execute('insert into t values (1)'); db.commit(); db.close()
    assert sqlite3.connect('/tmp/db').execute('select x from t').fetchone() == (1,)
    assert len(os.urandom(8)) == 8 and random.random() < 1 and os.cpu_count() and os.sched_getaffinity(0)
    os.sched_setaffinity(0, {0}); os.nice(0); resource.getrlimit(resource.RLIMIT_NOFILE); time.process_time(); os.getloadavg()
    with multiprocessing.Manager() as m: m.list([1])
    pid = os.fork()
    if pid == 0: os._exit(7)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7
    print('all right')
if __name__ == '__main__': main()
`
const NODE = `
const fs = require('fs'), os = require('os'), net = require('net'), { spawnSync, execFile } = require('child_process')
const { Worker } = require('worker_threads'), crypto = require('crypto'), zlib = require('zlib'), assert = require('assert')
;(async () => {
  const alive = setInterval(() => 0, 10)
  assert.equal(spawnSync('sh', ['-c', 'echo hi']).stdout.toString(), 'hi\\n')
  await new Promise((d) => execFile('echo', ['x'], d))
  await new Promise((d, f) => new Worker('require("worker_threads").parentPort.postMessage(1)', { eval: true }).on('message', d).on('error', f))
  fs.mkdirSync('/tmp/a/b', { recursive: true }); fs.writeFileSync('/tmp/a/f', 'x'); fs.copyFileSync('/tmp/a/f', '/tmp/a/g'); fs.renameSync('/tmp/a/g', '/tmp/a/h')
  fs.utimesSync('/tmp/a/h', 1, 1); await fs.promises.readFile('/tmp/a/h'); fs.rmSync('/tmp/a', { recursive: true })
  await new Promise((d) => { const s = net.createServer((c) => c.end('y')).listen('/tmp/door', () => net.connect('/tmp/door').on('data', () => { s.close(); d() })) })
  await new Promise((d) => net.createServer().on('error', d).listen(0, '127.0.0.1')); await new Promise((d) => net.connect(80, '127.0.0.1').on('error', d))
  await new Promise((d) => require('dns').lookup('example.org', d)); await new Promise((d) => require('dgram').createSocket('udp4').on('error', d).bind())
  await new Promise((d) => crypto.pbkdf2('a', 'b', 100, 16, 'sha256', d))
  assert.equal(zlib.gunzipSync(zlib.gzipSync('abc')).toString(), 'abc')
  new Intl.NumberFormat('de').format(1); os.cpus(); os.freemem(); crypto.randomBytes(8); new SharedArrayBuffer(1e6)
  const got = new Promise((d) => process.on('SIGUSR2', d)); process.kill(process.pid, 'SIGUSR2'); await got
  await new Promise((d) => setTimeout(d, 5)); await fetch('http://192.0.2.1').then(() => assert.fail(), () => 0)
  clearInterval(alive)
  console.log('all right')
})()
`
const CPP = `
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <future>
#include <iostream>
#include <locale>
#include <mutex>
#include <random>
#include <sys/mman.h>
#include <sys/wait.h>
#include <semaphore.h>
#include <thread>
#include <unistd.h>
namespace fs = std::filesystem;
static volatile sig_atomic_t got;
int main() {
    std::signal(SIGUSR1, [](int) { got = 1; }); std::raise(SIGUSR1); assert(got);
    auto f = std::async(std::launch::async, [] { return 42; }); assert(f.get() == 42);
    std::mutex m; std::condition_variable c; bool done = false;
    std::thread t([&] { std::this_thread::sleep_for(std::chrono::milliseconds(5)); std::lock_guard l(m); done = true; c.notify_all(); });
    { std::unique_lock l(m); c.wait(l, [&] { return done; }); } t.join();
    fs::create_directories("/tmp/a/b"); std::ofstream("/tmp/a/f") << "x"; fs::copy_file("/tmp/a/f", "/tmp/a/g"); fs::rename("/tmp/a/g", "/tmp/a/h");
    assert(fs::file_size("/tmp/a/h") == 1); (void)fs::last_write_time("/tmp/a/h"); fs::remove_all("/tmp/a");
    std::random_device r; (void)r(); std::mt19937 g(1); (void)g(); std::locale::global(std::locale("C.UTF-8"));
    assert(std::system("true") == 0); FILE *p = popen("echo hi", "r"); char b[9]; assert(fgets(b, 9, p)); pclose(p);
    int *shared = (int *)mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0); assert(shared != MAP_FAILED);
    pid_t child = fork(); if (!child) { *shared = 7; _exit(0); } waitpid(child, 0, 0); assert(*shared == 7);
    sem_t *s = sem_open("/s", O_CREAT, 0600, 1); assert(s != SEM_FAILED); sem_wait(s); sem_post(s); sem_close(s); sem_unlink("/s");
    int fd = shm_open("/m", O_CREAT | O_RDWR, 0600); assert(fd >= 0 && ftruncate(fd, 4096) == 0); shm_unlink("/m");
    assert(tmpfile()); std::vector<char> big(64 << 20, 1); assert(big[5] == 1);
    std::cout << "all right" << std::endl;
}
`
const JAVA = `
import java.io.*; import java.net.*; import java.nio.*; import java.nio.channels.*; import java.nio.file.*; import java.time.*; import java.util.*; import java.util.concurrent.*;
public class Exercise {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        if (pool.submit(() -> 42).get() != 42) throw new Exception("pool");
        pool.shutdown();
        if (CompletableFuture.supplyAsync(() -> 1).get() != 1) throw new Exception("future");
        Process p = new ProcessBuilder("echo", "hi").start(); if (!"hi".equals(new BufferedReader(new InputStreamReader(p.getInputStream())).readLine())) throw new Exception("process"); p.waitFor();
        Path d = Files.createTempDirectory("x"), f = d.resolve("f"); Files.writeString(f, "abc"); Files.copy(f, d.resolve("g")); Files.move(d.resolve("g"), d.resolve("h"));
        Files.setLastModifiedTime(f, java.nio.file.attribute.FileTime.fromMillis(1)); Files.walk(d).count();
        try (FileChannel c = FileChannel.open(f, StandardOpenOption.READ, StandardOpenOption.WRITE)) { c.map(FileChannel.MapMode.READ_WRITE, 0, 3).put(0, (byte) 1); try (FileLock l = c.lock()) { } }
        try (ServerSocket s = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) { throw new Exception("a network"); } catch (SocketException none) { }
        try (Socket s = new Socket("127.0.0.1", 80)) { throw new Exception("a network"); } catch (SocketException none) { }
        try (ServerSocketChannel s = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of("/tmp/door")); SocketChannel c = SocketChannel.open(s.getLocalAddress()); SocketChannel a = s.accept()) { c.write(ByteBuffer.wrap(new byte[] {5})); if (a.read(ByteBuffer.allocate(1)) != 1) throw new Exception("socket"); }
        try { InetAddress.getByName("example.org"); throw new Exception("a network"); } catch (UnknownHostException none) { }
        Selector.open().close(); new java.security.SecureRandom().nextInt(); LocalDateTime.now(); Locale.getDefault(); Runtime.getRuntime().availableProcessors(); Thread.currentThread().setPriority(3);
        ByteBuffer.allocateDirect(1 << 20); Thread.sleep(5); Runtime.getRuntime().addShutdownHook(new Thread(() -> { })); System.gc();
        java.util.regex.Pattern.compile("a+").matcher("aa").matches(); new ForkJoinPool(2).submit(() -> 1).get();
        System.out.println("all right");
    }
}
`
const PERL = `
use strict; use warnings; use POSIX qw(:sys_wait_h setlocale LC_ALL floor); use Fcntl qw(:flock); use File::Temp; no warnings 'void'; use File::Path qw(make_path remove_tree); use File::Copy; use IO::Socket::INET; use IO::Socket::UNIX; use IO::Select; use Time::HiRes qw(usleep alarm); use Socket; use List::Util; use Data::Dumper; use Storable qw(dclone store retrieve);
setlocale(LC_ALL, 'C.UTF-8');
die 'open' unless qx(echo hi) eq "hi\\n";
my $pid = fork; exit 7 unless $pid; waitpid $pid, 0; die 'wait' unless $? >> 8 == 7;
my $f = File::Temp->new(DIR => '/tmp'); print $f 'x'; flock $f, LOCK_EX or die 'flock'; close $f;
store {a => 1}, '/tmp/store'; die 'store' unless retrieve('/tmp/store')->{a} == 1;
make_path('/tmp/a/b'); copy '/tmp/store', '/tmp/a/c'; move '/tmp/a/c', '/tmp/a/d'; utime 1, 1, '/tmp/a/d'; chmod 0600, '/tmp/a/d'; remove_tree('/tmp/a');
my $s = IO::Socket::UNIX->new(Local => '/tmp/door', Listen => 1) or die 'listen'; my $c = IO::Socket::UNIX->new(Peer => '/tmp/door') or die 'connect'; my $a = $s->accept; syswrite $c, 'x'; sysread $a, my $b, 1; die 'socket' unless $b eq 'x';
die 'a network' if IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 1) || IO::Socket::INET->new(PeerAddr => '127.0.0.1:80') || gethostbyname 'example.org';
my $got; local $SIG{ALRM} = sub { $got = 1 }; alarm 0.01; usleep 50_000; die 'alarm' unless $got;
local $SIG{USR1} = sub { $got = 2 }; kill USR1 => $$; die 'signal' unless $got == 2;
pipe my $r, my $w; die 'select' if IO::Select->new($r)->can_read(0); srand 1; rand; localtime; getpwuid $<; opendir my $d, '/'; readdir $d;
print "all right\\n";
`
const SHELL = `
set -e
test "$(echo hi | tr h H)" = Hi
(sleep 0.01 & wait)
mkdir -p /tmp/a/b; echo x >/tmp/a/f; cp -a /tmp/a/f /tmp/a/g; mv /tmp/a/g /tmp/a/h; ln -s f /tmp/a/l; touch -d @1 /tmp/a/h; chmod 600 /tmp/a/h
find /tmp/a -type f | sort | xargs cat | wc -l | grep -q 2; tar -C /tmp -cf /tmp/a.tar a; rm -r /tmp/a; tar -C /tmp -xf /tmp/a.tar; sort -R /tmp/a/f >/dev/null; dd if=/dev/zero of=/tmp/z bs=1k count=4 2>/dev/null
trap 'got=1' USR1; kill -USR1 $$; test "$got" = 1; nice -n 5 true; timeout 5 true; date >/dev/null; head -c 8 /dev/urandom | od >/dev/null; mktemp >/dev/null; df /tmp >/dev/null; ps >/dev/null; flock /tmp/lock true; taskset -p $$ >/dev/null; sed -i s/x/y/ /tmp/a/f; ls -lR /tmp >/dev/null; sync; ulimit -a >/dev/null
cat <<END | grep -q here
here
END
echo all right
`

export const languages: readonly Exercise[] = [
  {
    name: 'Python',
    argv: ['/usr/bin/python3', '/bot/exercise.py'],
    files: { 'exercise.py': PYTHON },
    there: has('/usr/bin/python3'),
  },
  {
    name: 'JavaScript',
    argv: [process.execPath, '/bot/exercise.js'],
    files: { 'exercise.js': NODE },
    there: process.execPath.startsWith('/usr/'),
  },
  {
    name: 'C++',
    argv: ['/bot/exercise'],
    files: { 'exercise.cpp': CPP },
    build: ['g++', '-std=c++17', '-pthread', '-o', 'exercise', 'exercise.cpp'],
    there: has('g++'),
  },
  {
    name: 'Java',
    argv: ['/usr/bin/java', '-cp', '/bot', 'Exercise'],
    files: { 'Exercise.java': JAVA },
    build: ['javac', 'Exercise.java'],
    there: has('javac'),
  },
  {
    name: 'Perl',
    argv: ['/usr/bin/perl', '/bot/exercise.pl'],
    files: { 'exercise.pl': PERL },
    there: has('/usr/bin/perl'),
  },
  { name: 'shell', argv: ['/bin/bash', '/bot/exercise.sh'], files: { 'exercise.sh': SHELL }, there: has('/bin/bash') },
]
