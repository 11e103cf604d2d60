using StackExchange.Redis;

namespace Polyjuice.Storage.Redis;

// Objects: hashes that are staged under another key, and renamed.
internal sealed partial class RedisLogDevice
{
    private const int PutsMax = 8;

    /// <inheritdoc/>
    public async ValueTask<bool> PutAsync(
        string name, IAsyncEnumerable<ReadOnlyMemory<byte>> content, bool overwrite,
        CancellationToken cancellationToken)
    {
        // No ConfigureAwait(false) up to where the content has been read: it comes where the caller is.
        var before = await PutOfAsync(name, cancellationToken);
        if (before.Length > 0 && !overwrite) return false;
        var put = Guid.NewGuid().ToString("N");
        RedisKey staged = $"{_root}_put:{put}";
        var piece = new byte[_settings.PieceBytes];
        var (count, length) = (0, 0);
        await foreach (var some in content.WithCancellation(cancellationToken))
        {
            for (var rest = some; rest.Length > 0;)
            {
                var taken = Math.Min(rest.Length, piece.Length - length);
                rest[..taken].CopyTo(piece.AsMemory(length));
                rest = rest[taken..];
                length += taken;
                if (length == piece.Length) await StageAsync();
            }
        }

        var all = ((long)count * _settings.PieceBytes) + length;
        if (length > 0) await StageAsync();
        for (var puts = 1; puts <= PutsMax; puts++)
        {
            var isPut = (int)await ScriptAsync(
                "write", name, RedisScripts.Put, [KeyOf(name), _names, staged],
                [name, before, put, all, _settings.PieceBytes], cancellationToken).ConfigureAwait(false);
            if (isPut == 1) return true;
            if (isPut < 0)
            {
                throw new IOException(
                    $"{Location}/{name} was not written: its content took longer than an hour, or the server lost a "
                    + "part of it.");
            }

            // Somebody else put one in the meantime.
            before = await PutOfAsync(name, cancellationToken).ConfigureAwait(false);
            if (!overwrite && before.Length > 0) return false;
        }

        throw new IOException(
            $"{Location}/{name} was not written: it was replaced by others {PutsMax} times meanwhile.");

        async Task StageAsync()
        {
            await ScriptAsync(
                "write", name, RedisScripts.Stage, [staged], [count++, piece.AsSpan(0, length).ToArray()],
                cancellationToken);
            length = 0;
        }
    }

    /// <summary>Which put made an object; empty if there is none.</summary>
    private async Task<string> PutOfAsync(string name, CancellationToken cancellationToken) =>
        (string?)await RunAsync(
            "look at", name, () => _database.HashGetAsync(KeyOf(name), "put", CommandFlags.DemandMaster),
            cancellationToken).ConfigureAwait(false) ?? "";
}
