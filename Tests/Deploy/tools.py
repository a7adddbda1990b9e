"""Other people's programs, where they are."""
import os
import shutil
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Where Scripts/install-needs unpacks those that would start as services if they were installed.
UNPACKED = os.path.join(ROOT, ".build-vendor", "deploy")


class Missing(Exception):
    """A program that is not here; `package` is Debian's, where it has one."""

    def __init__(self, program, package):
        super().__init__(f"there is no {program}" + (f"; Debian: {package}" if package else ""))
        self.package = package


def tool(name, package):
    folders = [os.environ.get("PATH", ""), "/usr/sbin", f"{UNPACKED}/usr/bin", f"{UNPACKED}/usr/sbin"]
    found = shutil.which(name, path=os.pathsep.join(folders))
    if not found:
        raise Missing(name, package)
    return found


def run(*command, environment=None, seconds=60):
    """What it says, on both outputs; within so many seconds."""
    ended = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=seconds, cwd="/",
        env=os.environ | (environment or {}))
    assert ended.returncode == 0, f"{' '.join(command)} ended with {ended.returncode}:\n{ended.stdout}"
    return ended.stdout
