"""PostGIS on a server of its own: a cluster in a temporary folder, reached by a socket there, gone at the end.

Polygons are geometry, straight in longitude and latitude, as files have them: not cut at the antimeridian. Circles are
geography, a centre and a radius on the ellipsoid. Nearest boundaries are geography. Many fixes are asked about in one
statement, which is PostGIS's best case. Times are those of the server's process alone.
"""
import glob, os, pwd, shutil, struct, subprocess, tempfile

PREPARE = """
set max_parallel_workers_per_gather = 0; set max_parallel_maintenance_workers = 0; set jit = off; set work_mem = '256MB';
set maintenance_work_mem = '512MB'; set client_min_messages = error;
create or replace function pg_temp.cpu() returns float8 language sql as
  $$ select split_part(pg_read_file('/proc/self/schedstat'), ' ', 1)::float8 $$;
"""
CIRCLE = "_ST_Expand(z.place, z.radius) && p.place and ST_DWithin(z.place, p.place, z.radius)"
# How many fixes are asked about, by what one of them costs.
FIXES = {"contains": 20000, "journeys": 20000, "nearest": 1000, "nearest-8": 1000}
FIXES_BIG_RINGS = {"contains": 1000, "journeys": 1000, "nearest": 20, "nearest-8": 20}


def programs():
    """The folder of the newest server that has PostGIS; None when there is none."""
    found = [os.path.dirname(path) for path in glob.glob("/usr/lib/postgresql/*/bin/postgres")]
    for folder in sorted(found, key=lambda f: float(f.split("/")[4]), reverse=True):
        version = folder.split("/")[4]
        if os.path.exists(f"/usr/share/postgresql/{version}/extension/postgis.control"):
            return folder
    return None


class PostGIS:
    def __init__(self):
        self.bin = programs()
        self.folder = tempfile.mkdtemp(prefix="postgis-")
        self.user = {}
        if os.geteuid() == 0:
            # The server refuses to run as root.
            try:
                account = pwd.getpwnam("postgres")
            except KeyError:
                account = pwd.getpwnam("nobody")
            os.chown(self.folder, account.pw_uid, account.pw_gid)
            self.user = dict(user=account.pw_uid, group=account.pw_gid, extra_groups=[])
        try:
            self._do("initdb", "-D", f"{self.folder}/data", "-U", "bench", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C")
            with open(f"{self.folder}/data/postgresql.conf", "a") as settings:
                settings.write(f"listen_addresses = ''\nunix_socket_directories = '{self.folder}'\nfsync = off\nfull_page_writes = off\n"
                               "shared_buffers = 1GB\nautovacuum = off\nmax_wal_size = 8GB\n")
            self._do("pg_ctl", "-D", f"{self.folder}/data", "-w", "-l", f"{self.folder}/log", "start")
            self.version = self._ask("create extension postgis; select 'PostGIS ' || postgis_lib_version();", database="postgres")[0][0]
        except BaseException:
            self.stop()
            raise

    def _do(self, program, *words):
        done = subprocess.run([f"{self.bin}/{program}", *words], cwd=self.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=120, **self.user)
        if done.returncode:
            raise RuntimeError(f"{program}: {done.stderr.strip()}")

    def _ask(self, sql, chunks=(), limit=600, database="postgres"):
        """Lines of what `sql` answers; `chunks` of bytes follow it, for a copy."""
        with tempfile.TemporaryFile() as script:
            script.write((PREPARE + sql).encode())
            for chunk in chunks:
                script.write(chunk)
            script.seek(0)
            done = subprocess.run([f"{self.bin}/psql", "-X", "-q", "-At", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-U", "bench",
                                   "-d", database, "-f", "-"], stdin=script, capture_output=True, timeout=limit, cwd="/")
        if done.returncode:
            raise RuntimeError(done.stderr.decode(errors="replace").strip())
        return [line.split("\t") for line in done.stdout.decode().splitlines()]

    def load(self, base):
        """Takes a workload as `IndexBenchmark write` leaves it, and builds the indexes."""
        with open(base + ".zones", "rb") as file:
            kind, count, vertices = struct.unpack("<3Q", file.read(24))
            first = struct.unpack(f"<{count + 1}Q", file.read(8 * (count + 1)))
            radii = struct.unpack(f"<{count}d", file.read(8 * count))
            places = file.read(16 * vertices)
        self.circles = kind == 0

        def zones():
            for zone in range(count):
                ring = places[16 * first[zone]:16 * first[zone + 1]]
                if self.circles:
                    yield f"{zone}\t{radii[zone]}\t0101000020E6100000{ring.hex()}\n".encode()
                else:
                    head = struct.pack("<BIIII", 1, 0x20000003, 4326, 1, len(ring) // 16 + 1)
                    yield f"{zone}\t0\t{(head + ring + ring[:16]).hex()}\n".encode()
            yield b"\\.\n"

        def fixes(ending):
            with open(f"{base}.{ending}", "rb") as file:
                count, = struct.unpack("<Q", file.read(8))
                for number in range(min(count, max(FIXES.values()))):
                    yield f"{number}\t0101000020E6100000{file.read(16).hex()}\n".encode()
            yield b"\\.\n"

        place = "geography" if self.circles else "geometry"
        self._ask(f"drop table if exists zones; create unlogged table zones(id int, radius float8, place {place});\ncopy zones from stdin;\n", zones())
        for ending in ("fixes", "journeys"):
            self._ask(f"drop table if exists {ending}; create unlogged table {ending}(id int primary key, place {place});\n"
                      f"copy {ending} from stdin;\n", fixes(ending))
        index = "_ST_Expand(place, radius)" if self.circles else "place"
        built = self._ask(f"select pg_temp.cpu() as before \\gset\ncreate index on zones using gist({index}); analyze zones; analyze fixes; "
                          "analyze journeys; checkpoint;\nselect (pg_temp.cpu() - :before) / 1e9, pg_total_relation_size('zones') / 1e6;\n")
        self.build, self.megabytes = map(float, built[-1])
        self.has_boundaries = False

    def row(self, workload, operation):
        """What one operation costs, as the other engines' rows say it; None when it is not asked of PostGIS."""
        count = (FIXES_BIG_RINGS if workload == "big-rings" else FIXES)[operation]
        table = "journeys" if operation == "journeys" else "fixes"
        if operation.startswith("nearest"):
            if self.circles:
                return None
            if not self.has_boundaries:
                self._ask("drop table if exists borders; create unlogged table borders as select id, ST_Boundary(place)::geography as line from zones; "
                          "create index on borders using gist(line); analyze borders;")
                self.has_boundaries = True
            nearest = 1 if operation == "nearest" else 8
            query = (f"select coalesce(avg(d), 0)::bigint as hits from {table} p cross join lateral (select max(d) as d from (select z.line <-> "
                     f"p.place::geography as d from borders z order by z.line <-> p.place::geography limit {nearest}) n) m where p.id < ")
        else:
            condition = CIRCLE if self.circles else "ST_Intersects(z.place, p.place)"
            query = f"select count(*) as hits from {table} p join zones z on {condition} where p.id < "
        # What is made on first use is made before the clock runs.
        said = self._ask(f"{query} 10 \\gset\nselect pg_temp.cpu() as before \\gset\n{query} {count} \\gset\n"
                         "select pg_temp.cpu() - :before, :hits;\n")
        return dict(engine="postgis", workload=workload, operation=operation, count=count, ns=float(said[-1][0]) / count,
                    hits=int(said[-1][1]), sum="", build=self.build, mb=self.megabytes)

    def stop(self):
        if os.path.exists(f"{self.folder}/data/postmaster.pid"):
            self._do("pg_ctl", "-D", f"{self.folder}/data", "-w", "-m", "immediate", "stop")
        shutil.rmtree(self.folder, ignore_errors=True)
