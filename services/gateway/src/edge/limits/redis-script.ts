/**
 * Decides all requests collected since the last call in one round trip, in order. The windows are lists of
 * the newest `limit` stamps, in microseconds of Redis' own clock, so the clocks of the gateways do not
 * matter.
 *
 * ARGV: window in microseconds, IP limit, key limit, content limit; then one character per request (`0` plus
 * the sum of 1: the IP counts, 2: a key counts, 4: content counts too, 8: a key record was read from
 * Postgres); then the record and its lease in ms for each request that has one.
 * KEYS, in order of the requests: the IP window if it counts; the record and the key window if a key counts;
 * the content window if content counts.
 *
 * Returns one text per request: a letter for the outcome (`outcomeOf`), then the current key record if it is
 * admitted, or the wait in microseconds if it is limited. One text each, because every element costs both
 * sides. A record's text begins with `<revoked 0|1> <expires at, ms, or 0>`; the gateway verifies the rest.
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
  -- Stamps in the future: the clock stepped back, as after a failover to a host that is behind.
  if left > window then
    redis.call('DEL', name)
    return 0
  end
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
local function answer(letter, rest)
  answers[#answers + 1] = letter .. rest
end
local function limited(letter, left)
  answer(letter, string.format('%.0f', left))
end

local argument = 5
local flags = ARGV[5]
for at = 1, #flags do
  local flag = string.byte(flags, at) - 48
  local hasKey = bit.band(flag, 2) ~= 0
  local ip = bit.band(flag, 1) ~= 0 and nextKey()
  local record = hasKey and nextKey()
  local keyWindow = hasKey and nextKey()
  local contentWindow = bit.band(flag, 4) ~= 0 and nextKey()
  local candidate, lease = '', 0
  if bit.band(flag, 8) ~= 0 then
    candidate, lease = ARGV[argument + 1], tonumber(ARGV[argument + 2])
    argument = argument + 2
  end
  local left = ip and wait(ip, ipLimit) or 0
  if left > 0 then
    limited('i', left)
  else
    if ip then take(ip, ipLimit) end
    if not hasKey then
      answer('a', '')
    else
      if candidate ~= '' and lease > 0 then
        redis.call('SET', record, candidate, 'NX', 'PX', lease)
      end
      local text = redis.call('GET', record) or candidate
      if text == '' then
        answer('u', '')
      else
        local revoked, expires = string.match(text, '^(%d) (%d+)')
        if revoked == '1' then
          answer('r', '')
        elseif expires ~= '0' and tonumber(expires) * 1000 <= now then
          answer('e', '')
        else
          left = wait(keyWindow, keyLimit)
          if contentWindow then left = math.max(left, wait(contentWindow, contentLimit)) end
          if left > 0 then
            limited('k', left)
          else
            take(keyWindow, keyLimit)
            if contentWindow then take(contentWindow, contentLimit) end
            answer('a', text)
          end
        end
      end
    end
  end
end
return answers
`;

/** Stands for a revoked key. Not signed: operators write it too, and whoever forges one only closes a key. */
export const tombstone = '1 0 {}';

/**
 * Replaces a key record, unless the present one is a tombstone or was read later: two gateways may renew one
 * key at once, and the one that read it first may write last. In a text, `"readAtUs":` is a name: the quotes
 * of values are escaped.
 *
 * KEYS: the record. ARGV: its text, its lease in ms, the tombstone, when it was read.
 */
export const replaceScript = `
local present = redis.call('GET', KEYS[1])
if present == ARGV[3] then return end
local readAt = present and string.match(present, '"readAtUs":(%d+)')
if readAt and tonumber(readAt) > tonumber(ARGV[4]) then return end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
`;

export type ScriptOutcome = 'admitted' | 'ip_limited' | 'key_limited' | 'revoked' | 'expired' | 'unread';

const outcomes: Record<string, ScriptOutcome> = {
  a: 'admitted',
  i: 'ip_limited',
  k: 'key_limited',
  r: 'revoked',
  e: 'expired',
  u: 'unread',
};

/** Parses one answer of the script. @throws Error for an answer that the script never returns. */
export function outcomeOf(answer: string): ScriptOutcome {
  const outcome = outcomes[answer.charAt(0)];
  if (!outcome) throw new Error('the admission script returned no answer');
  return outcome;
}
