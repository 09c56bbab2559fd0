/**
 * Decides the requests of one event-loop turn in one round trip, in order. The windows are lists of the newest
 * `limit` stamps in microseconds of Redis' own clock, so the clocks of the gateways do not matter.
 *
 * ARGV: window in microseconds, IP limit, key limit, content limit, then five per request:
 * `1` count the IP, `1` a key counts, `1` content too, a key record read from Postgres or '', its lease in ms.
 * KEYS, in order of the requests: the IP window when it counts; record and key window when a key counts; the
 * content window when content counts.
 *
 * Answers three per request: outcome, wait in microseconds, the key record that stands.
 * A record's text is `<revoked 0|1> <expires at, ms, or 0> <JSON>`.
 */
export const admitScript = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local stamp = string.format('%.0f', now)
local window = tonumber(ARGV[1])
local ipLimit, keyLimit, contentLimit = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])

local function wait(name, limit)
  local length = redis.call('LLEN', name)
  if length < limit then return 0 end
  if length > limit then redis.call('LTRIM', name, -limit, -1) end
  local left = tonumber(redis.call('LINDEX', name, 0)) + window - now
  if left < 0 then return 0 end
  return left
end

local function take(name, limit)
  if redis.call('RPUSH', name, stamp) > limit then redis.call('LPOP', name) end
  redis.call('PEXPIRE', name, math.ceil(window / 1000))
end

local answers = {}
local key = 0
local function nextKey()
  key = key + 1
  return KEYS[key]
end
local function answer(outcome, left, text)
  answers[#answers + 1] = outcome
  answers[#answers + 1] = string.format('%.0f', left)
  answers[#answers + 1] = text
end

for at = 5, #ARGV, 5 do
  local countsIp, hasKey, isContent = ARGV[at] == '1', ARGV[at + 1] == '1', ARGV[at + 2] == '1'
  local candidate, lease = ARGV[at + 3], tonumber(ARGV[at + 4])
  local ip = countsIp and nextKey()
  local record = hasKey and nextKey()
  local keyWindow = hasKey and nextKey()
  local contentWindow = isContent and nextKey()
  local left = ip and wait(ip, ipLimit) or 0
  if left > 0 then
    answer('ip_limited', left, '')
  else
    if ip then take(ip, ipLimit) end
    if not hasKey then
      answer('admitted', 0, '')
    else
      if candidate ~= '' and lease > 0 then
        redis.call('SET', record, candidate, 'NX', 'PX', lease)
      end
      local text = redis.call('GET', record) or candidate
      if text == '' then
        answer('unread', 0, '')
      else
        local revoked, expires = string.match(text, '^(%d) (%d+)')
        if revoked == '1' then
          answer('revoked', 0, '')
        elseif expires ~= '0' and tonumber(expires) * 1000 <= now then
          answer('expired', 0, '')
        else
          left = wait(keyWindow, keyLimit)
          if contentWindow then left = math.max(left, wait(contentWindow, contentLimit)) end
          if left > 0 then
            answer('key_limited', left, '')
          else
            take(keyWindow, keyLimit)
            if contentWindow then take(contentWindow, contentLimit) end
            answer('admitted', 0, text)
          end
        end
      end
    end
  end
end
return answers
`;
