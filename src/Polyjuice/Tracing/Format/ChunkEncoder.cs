using System.Security.Cryptography;
using System.Text;
using Polyjuice.Policies;
using Polyjuice.Wire;

namespace Polyjuice.Tracing;

/// <summary>
/// Writes chunks as columns: all values of a field one after the other, as differences where neighbours are close, so
/// that the compressor finds likes beside likes. One for each file, because it knows what the file has introduced.
/// </summary>
internal sealed class ChunkEncoder(SiteRegistry registry, string? keySalt, bool hasCalls, bool hasStates = false)
{
    private readonly byte[]? _salt = keySalt is null ? null : Encoding.UTF8.GetBytes(keySalt);
    private readonly CallEncoder? _calls = hasCalls ? new CallEncoder() : null;
    private readonly StateEncoder? _states = hasStates ? new StateEncoder() : null;
    private int _types;
    private int _sites;

    /// <summary>Writes a chunk's content.</summary>
    public void Write(TraceChunk chunk, ByteWriter output)
    {
        output.Int(chunk.From);
        output.Int(chunk.Until);
        output.UInt((ulong)chunk.Busy);
        output.UInt((ulong)chunk.DroppedRecords);
        output.UInt((ulong)chunk.DroppedWindows);
        WriteSites(output);
        WriteParticipants(chunk, output);
        output.Int(chunk.Base);
        output.UInt((ulong)chunk.Agents.Count);
        foreach (var (node, sequence) in chunk.Agents)
        {
            output.Int(node);
            output.UInt((ulong)sequence);
        }

        WriteAccesses(chunk.Accesses.AsSpan(0, chunk.AccessCount), output);
        WriteAttempts(chunk.Attempts.AsSpan(0, chunk.AttemptCount), output);
        _calls?.Write(chunk, output);
        _states?.Write(chunk, output);
    }

    /// <summary>A grain's identity as it is written when keys are hashed.</summary>
    public static void Hash(ReadOnlySpan<byte> salt, string grain, Span<byte> hash)
    {
        Span<byte> full = stackalloc byte[HMACSHA256.HashSizeInBytes];
        HMACSHA256.HashData(salt, Encoding.UTF8.GetBytes(grain), full);
        full[..TraceFormat.HashBytes].CopyTo(hash);
    }

    private void WriteSites(ByteWriter output)
    {
        // Sites first: a type that is added between the two looks is written next time, and no site names it yet.
        var sites = registry.Sites;
        var types = registry.Types;
        output.UInt((ulong)(types.Count - _types));
        for (; _types < types.Count; _types++) output.String(types[_types]);
        output.UInt((ulong)(sites.Count - _sites));
        for (; _sites < sites.Count; _sites++)
        {
            var site = sites[_sites];
            output.UInt((ulong)site.TypeId);
            output.String(site.Key.Path);
            output.String(site.Key.State);
            output.Byte((byte)site.Key.Kind);
            output.String(site.Key.Label);
        }
    }

    private void WriteParticipants(TraceChunk chunk, ByteWriter output)
    {
        output.UInt((ulong)chunk.NameCount);
        Span<byte> hash = stackalloc byte[TraceFormat.HashBytes];
        foreach (var key in chunk.Names.AsSpan(0, chunk.NameCount))
        {
            output.String(key!.GrainClass);
            output.String(key.State);
            if (_salt is null)
            {
                output.String(key.Grain);
                continue;
            }

            Hash(_salt, key.Grain, hash);
            output.Raw(hash);
        }
    }

    private static void WriteAccesses(ReadOnlySpan<AccessEvent> accesses, ByteWriter output)
    {
        output.UInt((ulong)accesses.Length);
        foreach (ref readonly var access in accesses) output.UInt(access.Agent);
        var before = 0L;
        foreach (ref readonly var access in accesses) output.Int(Difference(access.Sequence, ref before));
        foreach (ref readonly var access in accesses) output.UInt((ulong)access.Site);
        foreach (ref readonly var access in accesses) output.UInt((ulong)access.Participant);
        before = 0;
        foreach (ref readonly var access in accesses) output.UInt((ulong)Difference(access.Time, ref before));
        foreach (ref readonly var access in accesses) output.UInt(access.Number);
        foreach (ref readonly var access in accesses) output.Byte((byte)access.Flags);
        foreach (ref readonly var access in accesses) output.Byte(access.Generation);
    }

    private static void WriteAttempts(ReadOnlySpan<AttemptEvent> attempts, ByteWriter output)
    {
        output.UInt((ulong)attempts.Length);
        var before = 0L;
        foreach (ref readonly var attempt in attempts) output.Int(Difference(attempt.Sequence, ref before));
        before = 0;
        foreach (ref readonly var attempt in attempts) output.Int(Difference(attempt.First, ref before));
        before = 0;
        foreach (ref readonly var attempt in attempts) output.UInt((ulong)Difference(attempt.End, ref before));
        foreach (ref readonly var attempt in attempts) output.UInt((ulong)attempt.Duration);
        foreach (ref readonly var attempt in attempts) output.UInt((ulong)attempt.Waited);
        foreach (ref readonly var attempt in attempts) output.UInt((ulong)attempt.Type);
        foreach (ref readonly var attempt in attempts) output.UInt((ulong)attempt.Attempt);
        foreach (ref readonly var attempt in attempts) output.UInt((ulong)attempt.Accesses);
        foreach (ref readonly var attempt in attempts) output.Byte(attempt.Outcome);
        foreach (ref readonly var attempt in attempts) output.Byte((byte)attempt.Flags);
        foreach (ref readonly var attempt in attempts) output.Byte(attempt.Generation);
    }

    private static long Difference(long value, ref long before)
    {
        var difference = value - before;
        before = value;
        return difference;
    }
}
