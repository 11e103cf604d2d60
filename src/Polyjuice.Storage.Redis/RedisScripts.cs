namespace Polyjuice.Storage.Redis;

/// <summary>
/// What the server runs: each script as a whole, with nothing of anybody else in between. A segment is a string; an
/// object is a hash of its pieces (<c>0</c>, <c>1</c>, …), the bytes of each but the last (<c>size</c>), its length,
/// and a random number of the put that made it (<c>put</c>).
/// </summary>
internal static class RedisScripts
{
    /// <summary>
    /// Appends if the segment ends where the bytes are to begin: 1, or 0 if not, or -1 if there is none.
    /// </summary>
    public const string Append =
        """
        local length = redis.call('STRLEN', KEYS[1])
        if length == 0 and redis.call('EXISTS', KEYS[1]) == 0 then return -1 end
        if length ~= tonumber(ARGV[1]) then return 0 end
        redis.call('APPEND', KEYS[1], ARGV[2])
        return 1
        """;

    /// <summary>Makes a segment, unless there is one, and enters its name.</summary>
    public const string Create =
        """
        if redis.call('EXISTS', KEYS[1]) == 0 then
          redis.call('SET', KEYS[1], '')
          redis.call('ZADD', KEYS[2], 0, ARGV[1])
        end
        return 1
        """;

    /// <summary>A segment's or object's length; -1 if there is none.</summary>
    public const string Length =
        """
        local kind = redis.call('TYPE', KEYS[1]).ok
        if kind == 'none' then return -1 end
        if kind == 'hash' then return tonumber(redis.call('HGET', KEYS[1], 'length')) end
        return redis.call('STRLEN', KEYS[1])
        """;

    /// <summary>
    /// Names from one to another, each with its length. The keys begin with the third argument, and all are in one
    /// place of a cluster.
    /// </summary>
    public const string List =
        """
        local found = {}
        for _, name in ipairs(redis.call('ZRANGEBYLEX', KEYS[1], '[' .. ARGV[1], '(' .. ARGV[2])) do
          local key = ARGV[3] .. name
          local kind = redis.call('TYPE', key).ok
          found[#found + 1] = name
          if kind == 'hash' then found[#found + 1] = tonumber(redis.call('HGET', key, 'length'))
          elseif kind == 'none' then found[#found + 1] = -1
          else found[#found + 1] = redis.call('STRLEN', key) end
        end
        return found
        """;

    /// <summary>
    /// Bytes from one offset to another, both included, as far as there are any; nothing if there is no such segment
    /// or object.
    /// </summary>
    public const string Read =
        """
        local kind = redis.call('TYPE', KEYS[1]).ok
        if kind == 'none' then return false end
        if kind ~= 'hash' then return redis.call('GETRANGE', KEYS[1], ARGV[1], ARGV[2]) end
        local from, to = tonumber(ARGV[1]), tonumber(ARGV[2])
        local size = tonumber(redis.call('HGET', KEYS[1], 'size'))
        local first = math.floor(from / size)
        local pieces = {}
        for i = first, math.floor(to / size) do
          local piece = redis.call('HGET', KEYS[1], string.format('%d', i))
          if not piece then break end
          pieces[#pieces + 1] = piece
        end
        return string.sub(table.concat(pieces), from - first * size + 1, to - first * size + 1)
        """;

    /// <summary>
    /// Puts what was staged in the place of an object: 1, or 0 if the object there is not the one that it is to
    /// replace, so that a request that comes late never replaces something newer; or -1 if pieces of what was staged
    /// are gone.
    /// </summary>
    public const string Put =
        """
        local before = redis.call('HGET', KEYS[1], 'put') or ''
        if before == ARGV[3] then return 1 end
        if before ~= ARGV[2] then return 0 end
        if redis.call('HLEN', KEYS[3]) ~= math.ceil(tonumber(ARGV[4]) / tonumber(ARGV[5])) then return -1 end
        redis.call('HSET', KEYS[3], 'put', ARGV[3], 'length', ARGV[4], 'size', ARGV[5])
        redis.call('PERSIST', KEYS[3])
        redis.call('RENAME', KEYS[3], KEYS[1])
        redis.call('ZADD', KEYS[2], 0, ARGV[1])
        return 1
        """;

    /// <summary>Stages a piece of an object. What a put that failed leaves of it goes by itself.</summary>
    public const string Stage =
        """
        redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
        redis.call('EXPIRE', KEYS[1], 3600)
        return 1
        """;

    /// <summary>Deletes a segment or object, and its name.</summary>
    public const string Delete =
        """
        redis.call('ZREM', KEYS[2], ARGV[1])
        return redis.call('UNLINK', KEYS[1])
        """;

    /// <summary>Renews a lock, if it is still the caller's.</summary>
    public const string Renew =
        """
        if string.sub(redis.call('GET', KEYS[1]) or '', 1, #ARGV[1]) ~= ARGV[1] then return 0 end
        return redis.call('PEXPIRE', KEYS[1], ARGV[2])
        """;

    /// <summary>Gives a lock back, if it is still the caller's.</summary>
    public const string Release =
        """
        if string.sub(redis.call('GET', KEYS[1]) or '', 1, #ARGV[1]) ~= ARGV[1] then return 0 end
        return redis.call('DEL', KEYS[1])
        """;
}
