-- Sends the requests of a job, which xtask writes as a Lua table, and prints what came of them as one line of JSON.

local threads = 0

function setup(thread)
  thread:set("place", threads)
  threads = threads + 1
end

-- A function that puts a text together from its pieces: texts as they are, and tables for what varies.
local function filled(pieces)
  local parts = {}
  return function()
    for at, piece in ipairs(pieces) do
      if type(piece) == "string" then
        parts[at] = piece
      elseif piece.random then
        parts[at] = tostring(math.random(piece.random[1], piece.random[2]))
      elseif piece.unowned then
        parts[at] = tostring(own[turn])
      else
        parts[at] = owner
        -- Each thread has orders of its own, and goes through them again and again: assigned, given back, assigned …
        turn = turn + 1
        if turn > #own then
          turn = 1
          owner = owner == "" and member or ""
        end
      end
    end
    return table.concat(parts, "", 1, #pieces)
  end
end

local function is_fixed(pieces)
  return #pieces == 0 or (#pieces == 1 and type(pieces[1]) == "string")
end

function init(args)
  local job = dofile(args[1])
  math.randomseed(job.seed * 100 + place)
  own, turn, member, owner = {}, 1, job.member, job.member
  for at = place + 1, #job.unowned, job.threads do
    own[#own + 1] = job.unowned[at]
  end
  local path, body = filled(job.path), filled(job.body)
  local function compose()
    return wrk.format(job.method, path(), job.headers, #job.body > 0 and body() or nil)
  end
  if is_fixed(job.path) and is_fixed(job.body) then
    local fixed = compose()
    request = function() return fixed end
  else
    request = compose
  end
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format(
    '{"requests":%d,"microseconds":%d,"p50":%d,"p95":%d,"p99":%d,"failed":%d,"refused":%d}',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(95), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.timeout, errors.status))
end
