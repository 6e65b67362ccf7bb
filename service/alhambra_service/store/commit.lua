-- Applies one commit completely or not at all, and only once if it is sent repeatedly.
--
-- KEYS  state, log, requests of one game, and its notices if the commit has any
-- ARGV  1 the revision that the commit builds on; 'new' for a new game; 'ask' only asks for the request
--       2 the request     3 its outcome, <revision>:<first>:<version>:…, to be remembered
--       4 how many requests of one owner are remembered     5 seconds until the game is forgotten, 0 for never
--       6 '1' to write on repetition as well, so that the connection has something to wait for
--       7 milliseconds of Unix time before which this commit is refused, by the clock of this server; 0 for any time
--       8 the number of notices, then the notices, then the state, then lines of the log
--
-- Everything that can fail is checked before the first write, because writes of a failed script are not undone.

local state, log, requests = KEYS[1], KEYS[2], KEYS[3]
local expected, request, outcome = ARGV[1], ARGV[2], ARGV[3]

local known = redis.call('HGET', requests, request)
if known then
  if ARGV[6] == '1' then redis.call('HSET', requests, request, known) end
  return {'known', known}
end
if expected == 'ask' then return {'unknown'} end

local head = redis.call('GETRANGE', state, 0, 63)
local length = redis.call('LLEN', log)
if expected == 'new' then
  if head ~= '' then return {'exists'} end
  if length > 0 then redis.call('DEL', log, requests) end
else
  if head == '' then return {'gone'} end
  local revision, version = string.match(head, '^%d+:(%d+):(%d+):')
  if tostring(length) ~= version then return {'torn', tostring(version), tostring(length)} end
  if revision ~= expected then return {'stale', revision, version} end
end

local not_before = tonumber(ARGV[7])
if not_before > 0 then
  local time = redis.call('TIME')
  local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
  if now < not_before then return {'early', string.format('%.0f', now)} end
end

local notices = tonumber(ARGV[8])
redis.call('SET', state, ARGV[9 + notices])
for i = 10 + notices, #ARGV do redis.call('RPUSH', log, ARGV[i]) end
if notices > 0 then
  for i = 9, 8 + notices do redis.call('RPUSH', KEYS[4], ARGV[i]) end
  redis.call('LTRIM', KEYS[4], -1000, -1)
end
redis.call('HSET', requests, request, outcome)

-- The part of a request before ':' is its owner. The newest requests of each owner are remembered, so an owner cannot
-- push out requests of another; the field '#<owner>' counts them. A field without ':' was written by an older service.
local window, owner = tonumber(ARGV[4]), string.match(request, '^[^:]*')
if redis.call('HINCRBY', requests, '#' .. owner, 1) > 2 * window then
  local all, own = redis.call('HGETALL', requests), {}
  for i = 1, #all, 2 do
    local whose = string.match(all[i], '^([^:]*):')
    if whose == owner then
      table.insert(own, {tonumber(string.match(all[i + 1], '^%d+')), all[i]})
    elseif not whose and string.sub(all[i], 1, 1) ~= '#' then
      redis.call('HDEL', requests, all[i])
    end
  end
  table.sort(own, function(one, other) return one[1] > other[1] end)
  for i = window + 1, #own do redis.call('HDEL', requests, own[i][2]) end
  redis.call('HSET', requests, '#' .. owner, math.min(window, #own))
end

local ttl = tonumber(ARGV[5])
for _, key in ipairs(KEYS) do
  if ttl > 0 then redis.call('EXPIRE', key, ttl) else redis.call('PERSIST', key) end
end
return {'done', outcome}
