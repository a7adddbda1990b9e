-- What wrk sends: posts of phones that walk through a town, one fix each and now, as OwnTracks sends it (one); the 500 of
-- a phone that was without network (batch); or those of phones that go into a zone and out of it with every post (alarm).
-- Arguments after --: the MODE, FIRST device, DEVICES, where to BEGIN among them, STEP of the walk, EPOCH of what is not
-- sent now in seconds, POSTS a second and connection or 0, the token, for Basic and as it is, and ZONES.

local mode, first, count, device, step, epoch, pace, basic, token, zones
local batches = {}
local SIZE = 500
-- A batch is 2 s from fix to fix, in windows of 1,000 s, so that it is made new by seven digits.
local WINDOW = "0000000"

-- The same way for the same phone: from a place of its own, straight on, 40 m a step.
local function place(device, step)
  local a = (device * 7919) % 10007 / 10007
  local b = (device * 104729) % 10009 / 10009
  local heading = (device * 31) % 360 * math.pi / 180
  local along = step * 40 / 111000
  return 46 + 0.8 * a + math.sin(heading) * along, 14 + 1.1 * b + math.cos(heading) * along / 0.69
end

-- In the midst of the device's own zone, or between two of them. load.py draws them.
local function visit(device, step)
  local side = math.floor(math.sqrt(zones) + 0.5)
  local zone = device % zones
  return 46 + 0.9 * (math.floor(zone / side) + step % 2 / 2) / side, 14 + 1.3 * (zone % side) / side
end

local function batch(device)
  local fixes = {}
  for i = 0, SIZE - 1 do
    local latitude, longitude = place(device, i)
    fixes[#fixes + 1] = string.format(
      '{"latitude":%.6f,"longitude":%.6f,"measured_at":%s%06d,"accuracy_m":8,"speed_m_s":1.5}',
      latitude, longitude, WINDOW, i * 2000)
  end
  return '{"fixes":[' .. table.concat(fixes, ",") .. "]}"
end

function init(arguments)
  mode, first, count = arguments[1], tonumber(arguments[2]), tonumber(arguments[3])
  device, step, epoch = tonumber(arguments[4]) % count, tonumber(arguments[5]), tonumber(arguments[6])
  pace, basic, token, zones = tonumber(arguments[7]), arguments[8], arguments[9], tonumber(arguments[10])
  math.randomseed(step + 1)
  if mode == "batch" then
    for d = 0, count - 1 do batches[d] = batch(d) end
  end
end

function request()
  local path, body, headers
  if mode == "batch" then
    path = string.format("/api/v1/fixes?device=%016x", 4096 + first + device)
    body = batches[device]:gsub(WINDOW, string.format("%07d", epoch / 1000 + step))
    headers = { ["Content-Type"] = "application/json", ["Authorization"] = "Bearer " .. token }
  else
    local at = mode == "alarm" and visit or place
    local latitude, longitude = at(first + device, step)
    path = string.format("/pub?u=bench&d=%d", first + device)
    body = string.format(
      '{"_type":"location","lat":%.6f,"lon":%.6f,"tst":%d,"acc":8,"vel":5,"batt":80,"tid":"BE"}', latitude,
      longitude, os.time())
    headers = { ["Content-Type"] = "application/json", ["Authorization"] = "Basic " .. basic }
  end
  device = device + 1
  if device == count then
    device = 0
    step = step + 1
  end
  return wrk.format("POST", path, headers, body)
end

-- Where a pace is asked for, each connection waits at random, so that posts come as those of phones that know nothing of
-- each other.
function delay()
  if not pace or pace <= 0 then return 0 end
  return math.floor(-math.log(1 - math.random()) / pace * 1000 + 0.5)
end

function done(summary, latency, requests)
  io.write(string.format(
    '\nRESULT {"posts": %d, "seconds": %.4f, "p50_ms": %.3f, "p99_ms": %.3f, "bad": %d}\n', summary.requests,
    summary.duration / 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.write
      + summary.errors.timeout))
end
