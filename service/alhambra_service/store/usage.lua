-- Changes the counts of a tenant: the list of its games, which of them run, and the bytes of each, all in one step.
--
-- KEYS  the list of games by time of creation, the set of running games, the bytes of each game (field 'total': of all),
--       games that were admitted and not created yet, by time
-- ARGV  1 what to do     2 the game
--       admit   3 its bytes until it is measured     4 most running games     5 most bytes; 0 for any number
--       add     3 its bytes until it is measured     4 when it was created
--       count   3 its bytes                          4 when it was created     5 '1' if it runs
--       gone    3 seconds that a game has to be created after it was admitted     4 '1' if it was looked for twice
--       drop, total

local index, running, sizes, pending = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local what, game = ARGV[1], ARGV[2]

local function measure(bytes)
  local before = tonumber(redis.call('HGET', sizes, game) or '0')
  redis.call('HSET', sizes, game, bytes)
  redis.call('HINCRBY', sizes, 'total', bytes - before)
end

local function known() return redis.call('HEXISTS', sizes, game) == 1 end

if what == 'admit' then
  if known() then return {'known'} end
  local most, used = tonumber(ARGV[4]), redis.call('SCARD', running)
  if most > 0 and used >= most then return {'running_games', tostring(used)} end
  local room, taken = tonumber(ARGV[5]), tonumber(redis.call('HGET', sizes, 'total') or '0')
  if room > 0 and taken + tonumber(ARGV[3]) > room then return {'stored_bytes', string.format('%.0f', taken)} end
  measure(tonumber(ARGV[3]))
  redis.call('SADD', running, game)
  redis.call('ZADD', pending, redis.call('TIME')[1], game)
  return {'admitted'}
elseif what == 'add' then
  redis.call('ZREM', pending, game)
  redis.call('ZADD', index, ARGV[4], game)
  if not known() then
    measure(tonumber(ARGV[3]))
    redis.call('SADD', running, game)
  end
elseif what == 'count' then
  redis.call('ZREM', pending, game)
  redis.call('ZADD', index, ARGV[4], game)
  measure(tonumber(ARGV[3]))
  redis.call(ARGV[5] == '1' and 'SADD' or 'SREM', running, game)
elseif what == 'drop' or what == 'gone' then
  if what == 'gone' then
    local since = redis.call('ZSCORE', pending, game)
    if since and redis.call('TIME')[1] - since < tonumber(ARGV[3]) then return {'pending'} end
    -- It may have been created after the caller looked for it.
    if not since and ARGV[4] ~= '1' then return {'look again'} end
  end
  -- ZREM comes first: a full store refuses HINCRBY unless the script has written before.
  redis.call('ZREM', index, game)
  redis.call('SREM', running, game)
  redis.call('ZREM', pending, game)
  if known() then
    local bytes = tonumber(redis.call('HGET', sizes, game))
    redis.call('HDEL', sizes, game)
    redis.call('HINCRBY', sizes, 'total', -bytes)
  end
elseif what == 'total' then
  local all, sum = redis.call('HGETALL', sizes), 0
  for i = 1, #all, 2 do
    if all[i] ~= 'total' then sum = sum + tonumber(all[i + 1]) end
  end
  redis.call('HSET', sizes, 'total', sum)
end
return {'done'}
