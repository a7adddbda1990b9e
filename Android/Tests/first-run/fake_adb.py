"""An emulator with the application on it, as `adb` shows both, on a clock of its own. Refuses every command and option that
is not written here, and every tap beside a button."""
import json
import math
import shlex
from xml.sax.saxutils import quoteattr

PACKAGE = 'app.proximity'
SEEN = '/data/local/tmp/first-run.xml'
OWN = 'NotificationRecord(0x07b7: pkg=app.proximity user=UserHandle{0} id=%d tag=%s importance=4 key=0|app.proximity|%d|%s|10123: ' \
    'Notification(channel=%s))\n      extras={\n        android.title=String (%s)\n      }\n'
# The archive holds past notifications, which are not shown any more.
ARCHIVE = '  mArchive=Archive (1 notifications)\n    StatusBarNotification(pkg=app.proximity user=UserHandle{0} id=0 tag=alarm:7 key=x)\n'


class Clock:
    def __init__(self):
        self.at = 0.0

    def monotonic(self):
        return self.at

    def sleep(self, seconds):
        self.at += seconds


class FakeAdb:
    """`faults`: what this emulator or this application does not do, or does and should not."""

    def __init__(self, words, clock, api=34, faults=()):
        self.words, self.clock, self.api, self.faults = words, clock, api, set(faults)
        self.screen, self.is_awake, self.is_installed = 'launcher', True, False
        self.is_located, self.is_armed, self.is_watching, self.rings, self.sounds = True, False, False, False, False
        self.granted, self.file, self.seen, self.moves = set(), None, '', True
        self.place = self.zone = self.inside = None
        self.boot, self.back_at = 1, None
        self.asked = []

    def __call__(self, *words, timeout=60):
        self.asked.append(words)
        assert 0 < timeout <= 300, 'a command has no limit'
        self.clock.at += 0.1
        if self.back_at is not None and self.clock.at >= self.back_at:
            self.restarted()
        try:
            return True, self.answer(list(words)).encode()
        except Refused as problem:
            return False, str(problem).encode()

    def answer(self, words):
        if self.back_at is not None and self.clock.at > self.back_at - 20:
            raise Refused('error: device offline')
        match words:
            case ['get-serialno']:
                return 'R58M12\n' if 'is_a_phone' in self.faults else 'emulator-5554\n'
            case ['uninstall', 'app.proximity']:
                raise Refused('Failure [DELETE_FAILED_INTERNAL_ERROR]')
            case ['install', apk]:
                assert apk.endswith('.apk')
                if 'no_install' in self.faults:
                    raise Refused('adb: failed to install: Failure [INSTALL_FAILED_NO_MATCHING_ABIS]')
                self.is_installed = True
                return 'Performing Streamed Install\nSuccess\n'
            case ['emu', 'geo', 'fix', longitude, latitude]:
                self.moved(float(latitude), float(longitude))
                return 'OK\n'
            case ['reboot']:
                self.back_at = self.clock.at + 25
                return ''
            case ['exec-out', 'cat', path] if path == SEEN:
                return self.seen
            case ['exec-out', 'screencap', '-p'] | ['logcat', '-d']:
                return 'kept'
            case ['shell', 'cat /proc/sys/kernel/random/boot_id; getprop sys.boot_completed']:
                return f'boot-{self.boot}\n1\n'
            case ['shell', line]:
                return self.shell(shlex.split(line))
        raise AssertionError(f'adb has no {words}')

    def shell(self, words):
        match words:
            case ['getprop', 'ro.build.version.sdk']:
                return f'{self.api}\n'
            case ['am', 'start', *options]:
                return self.start(options)
            case ['uiautomator', 'dump', path] if path == SEEN:
                # While something moves there is no dump, and the former one is still there.
                self.moves = not self.moves
                if not self.moves:
                    return 'ERROR: could not get idle state.\n'
                self.seen = self.drawn()
                return f'UI hierchary dumped to: {SEEN}\n'
            case ['input', 'tap', x, y]:
                self.tapped(int(x), int(y))
                return ''
            case ['input', 'keyevent', key]:
                self.pressed(key)
                return ''
            case ['dumpsys', 'package', 'app.proximity']:
                return ''.join(f'      android.permission.{each}: granted=true, flags=[ USER_SET ]\n' for each in self.granted)
            case ['dumpsys', 'notification', '--noredact']:
                return self.notifications()
            case ['dumpsys', 'audio']:
                state = 'started' if self.sounds and 'is_mute' not in self.faults else 'paused'
                return f'  AudioPlaybackConfiguration piid:31 u/pid:10123/4242 state:{state} attr:AudioAttributes: usage=USAGE_ALARM\n'
            case ['dumpsys', 'power']:
                return f'  mWakefulness={"Awake" if self.is_awake else "Dozing"}\n'
            case ['settings', 'put', 'secure', 'location_mode', '0' | '3' as mode]:
                self.is_located = mode == '3'
                return ''
        raise AssertionError(f'the phone has no {words}')

    def start(self, options):
        given, extras = {}, {}
        while options:
            if options[0] == '--es':
                extras[options[1]] = options[2]
                options = options[3:]
            else:
                assert options[0] in ('-n', '-a', '-t'), options[0]
                given[options[0]] = options[1]
                options = options[2:]
        assert given.pop('-n') == f'{PACKAGE}/.MainActivity'
        if not self.is_installed:
            return 'Starting: Intent { }\nError type 3\nError: Activity class does not exist.\n'
        if given:
            assert given == {'-a': 'android.intent.action.SEND', '-t': 'text/plain'} and list(extras) == ['android.intent.extra.TEXT']
            self.file = json.loads(extras['android.intent.extra.TEXT'])['features'][0]
            assert self.file['properties'].keys() == {'name', 'radius_m'} and self.file['geometry']['type'] == 'Point'
        self.screen = 'preview' if given else 'first'
        return 'Starting: Intent { }\n'

    # The nodes on the screen from top to bottom: (words, resource id, action of a tap).

    def shown(self):
        words, own = self.words, 'com.android.permissioncontroller:id/'
        tabs = [('Alarm', '', lambda: self.go('alarm')), ('Zones', '', lambda: self.go('zones'))]
        # The words of Android's own buttons are drawn in capitals.
        go_on = ('android:id/button1', words['go_on'].upper())
        if 'old_webview' in self.faults and self.screen == 'first':
            return [('Proximity Alarm', '', None)]
        match self.screen:
            case 'first':
                return [*tabs, ('Where should it ring?', 'where', None)]
            case 'preview':
                return [*tabs, ('Add 1 zone', 'add', self.added), (self.file['properties']['name'], '', None)]
            case 'zones':
                return [*tabs, ('First run · circle', '', None)]
            case 'alarm':
                return [*tabs, ('Deactivate' if self.is_armed else 'Activate', 'activate', self.activated)]
            case 'reason_location' | 'reason_notifications' | 'reason_background':
                return [(words[self.screen], 'android:id/message', None), (go_on[1], go_on[0], lambda: self.go(self.screen.replace('reason', 'ask')))]
            case 'ask_location':
                return [('Only this time', own + 'permission_allow_one_time_button', None),
                        ('While using the app', own + 'permission_allow_foreground_only_button', lambda: self.allowed('ACCESS_FINE_LOCATION'))]
            case 'ask_notifications':
                return [('Allow', own + 'permission_allow_button', lambda: self.allowed('POST_NOTIFICATIONS'))]
            case 'ask_background':
                name = 'allow_always_radio_button' if self.api >= 30 else 'permission_allow_always_button'
                return [('Allow all the time', own + name, lambda: self.allowed('ACCESS_BACKGROUND_LOCATION'))]
            case 'ringing' if 'no_stop' not in self.faults:
                return [(words['stop'].upper(), '', self.stopped), (words['sleep'].upper(), '', None)]
        return []

    def drawn(self):
        rows = ''.join(f'<node text={quoteattr(text)} resource-id={quoteattr(name)} content-desc="" bounds="[0,{at * 100}][400,{at * 100 + 90}]" />'
                       for at, (text, name, _) in enumerate(self.shown()))
        hidden = '<node text="Stop" resource-id="" content-desc="" bounds="[0,0][0,0]" />'
        return f"<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">{hidden}{rows}</hierarchy>"

    def tapped(self, x, y):
        assert self.is_awake, 'a tap on a dark screen'
        at = y // 100
        assert 0 <= x < 400 and at < len(self.shown()) and self.shown()[at][2], f'nothing to tap at {x}, {y} of {self.screen}'
        self.shown()[at][2]()

    def go(self, screen):
        # A dialog that does not come leaves the page.
        self.screen = 'alarm' if screen in self.faults else screen

    def pressed(self, key):
        match key:
            case 'KEYCODE_HOME':
                assert self.screen == 'alarm', f'left at {self.screen}'
                self.screen = 'launcher'
            case 'KEYCODE_BACK':
                assert self.screen == 'settings', f'back from {self.screen}'
                self.screen = 'alarm'
            case 'KEYCODE_SLEEP':
                self.is_awake = False
            case _:
                raise AssertionError(f'no key {key}')

    def added(self):
        self.zone = self.file
        self.screen = 'zones'

    def activated(self):
        assert self.zone and not self.is_armed, 'activated without a zone, or switched off'
        self.is_armed = True
        self.go('reason_location')

    def allowed(self, permission):
        self.granted.add(permission)
        self.is_watching = True
        if permission == 'ACCESS_FINE_LOCATION':
            self.go('reason_notifications' if self.api >= 33 else 'reason_background')
        elif permission == 'POST_NOTIFICATIONS':
            self.go('reason_background')
        else:
            self.screen = 'settings' if self.api >= 30 else 'alarm'

    # The watch.

    def moved(self, latitude, longitude):
        if self.place:
            assert distance_m(self.place, (latitude, longitude)) < 50, 'the phone leaps'
        self.place = latitude, longitude
        if not (self.zone and self.is_watching and self.is_located):
            return
        centre = self.zone['geometry']['coordinates']
        inside = distance_m(self.place, (centre[1], centre[0])) <= self.zone['properties']['radius_m']
        arrives = inside and (self.inside is False or ('rings_again' in self.faults and not self.rings))
        self.inside = inside
        if arrives and 'never_rings' not in self.faults:
            self.rings, self.sounds, self.is_awake, self.screen = True, True, True, 'ringing'

    def stopped(self):
        self.rings, self.sounds, self.screen = False, 'sounds_on' in self.faults, 'launcher'

    def restarted(self):
        self.boot, self.back_at, self.inside, self.screen = self.boot + 1, None, None, 'launcher'
        self.is_watching = 'no_restart' not in self.faults

    def notifications(self):
        text = '  Notification List:\n    NotificationRecord(0x01: pkg=android user=UserHandle{0} id=1 tag=alarm:1 key=0|android|1|null|1000: x)\n'
        if self.is_watching:
            text += '    ' + OWN % (1, 'null', 1, 'null', 'watching', self.words['watching'])
        if self.is_watching and not self.is_located and 'tells_nothing' not in self.faults:
            text += '    ' + OWN % (0, 'trouble', 0, 'trouble', 'trouble', self.words['trouble_location_off'])
        if self.rings:
            text += '    ' + OWN % (0, 'alarm:7', 0, 'alarm:7', 'alarm', self.zone['properties']['name'])
        return text + ARCHIVE


class Refused(Exception):
    """The output of an `adb` command that fails."""


def distance_m(a, b):
    return math.hypot(a[0] - b[0], (a[1] - b[1]) * math.cos(math.radians(a[0]))) * 111_195
