using Polyjuice.Agents;
using Polyjuice.Policies;
using Polyjuice.Tracing;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Training.Traces;

/// <summary>
/// Reads the chunks of one recorded file, in order: what each names may have been introduced by an earlier one. The
/// counterpart of <see cref="ChunkEncoder"/>.
/// </summary>
internal sealed class ChunkDecoder(
    RecordedNames names, long node, int silo, bool isHashed, bool hasCalls, bool hasStates)
{
    private readonly List<int> _types = [];
    private readonly List<int> _sites = [];
    private readonly List<int> _participants = [];
    private readonly CallDecoder? _calls = hasCalls ? new CallDecoder(names) : null;
    private readonly List<string> _codecs = [];
    private RecordedAccess[] _accesses = [];
    private Decoded[] _attempts = [];

    /// <summary>Adds a chunk's content to what was recorded.</summary>
    /// <exception cref="CodingException">It is not what an encoder of this version writes.</exception>
    public void Read(ReadOnlySpan<byte> content, RecordedTrace recorded)
    {
        var input = new ByteReader(content);
        var span = new RecordedSpan(input.Int(), input.Int());
        var busy = (long)input.UInt();
        var (records, windows) = ((long)input.UInt(), (long)input.UInt());
        ReadSites(ref input);
        ReadParticipants(ref input);
        var start = input.Int();
        var accesses = ReadAccesses(ref input, start);
        var attempts = ReadAttempts(ref input, start);
        var calls = _calls is null ? [] : _calls.Read(ref input, LastOf(attempts));
        var states = hasStates ? ReadStates(ref input, start) : [];
        if (!input.IsEmpty) throw new CodingException("A chunk is longer than what it holds.");

        // Whole, or nothing of it.
        recorded.Cover(silo, span, busy, accesses.Length, records, windows);
        foreach (ref readonly var access in accesses)
        {
            names.Served(access.Participant, silo, access.Time);
            recorded.Accesses.Add(access);
        }

        var last = 0;
        foreach (ref readonly var attempt in attempts)
        {
            recorded.Attempts++;
            if ((attempt.Flags & AttemptEventFlags.Last) == 0) continue;
            recorded.LastAttempts.Add(
                attempt.ToRecorded(node, silo, calls.Length > 0 ? recorded.Calls.Count + last : -1));
            last++;
        }

        recorded.Calls.AddRange(calls);
        recorded.States.AddRange(states);
    }

    private TraceState[] ReadStates(ref ByteReader input, long start)
    {
        for (var left = input.Count(); left > 0; left--) _codecs.Add(input.String());
        return StateColumns.Read(ref input, start, _codecs, number => Known(_participants, number, "participant"));
    }

    private static int LastOf(ReadOnlySpan<Decoded> attempts)
    {
        var count = 0;
        foreach (ref readonly var attempt in attempts)
        {
            if ((attempt.Flags & AttemptEventFlags.Last) != 0) count++;
        }

        return count;
    }

    private void ReadSites(ref ByteReader input)
    {
        for (var left = input.Count(); left > 0; left--) _types.Add(names.Type(input.String()));
        for (var left = input.Count(); left > 0; left--)
        {
            var type = names.Types[Known(_types, input.UInt(), "type")];
            var (path, state) = (input.String(), input.String());
            var kind = input.Byte();
            if (kind > (byte)AccessKind.Update) throw new CodingException($"A site is of the unknown kind {kind}.");
            _sites.Add(names.Site(new SiteKey(type, path, state, (AccessKind)kind, input.String())));
        }
    }

    private void ReadParticipants(ref ByteReader input)
    {
        for (var left = input.Count(); left > 0; left--)
        {
            var (grainClass, state) = (input.String(), input.String());
            _participants.Add(
                names.Participant(
                    grainClass,
                    state,
                    isHashed ? Convert.ToHexStringLower(input.Raw(TraceFormat.HashBytes)) : input.String()));
        }
    }

    private ReadOnlySpan<RecordedAccess> ReadAccesses(ref ByteReader input, long start)
    {
        var agents = new (long Node, long Sequence)[input.Count()];
        foreach (ref var agent in agents.AsSpan()) agent = (input.Int(), (long)input.UInt());
        var count = input.Count();
        if (_accesses.Length < count) _accesses = new RecordedAccess[count];
        var accesses = _accesses.AsSpan(0, count);
        foreach (ref var access in accesses)
        {
            var agent = input.UInt();
            if (agent >= (ulong)agents.Length)
                throw new CodingException($"An access is of agent {agent}, and there are {agents.Length}.");
            access = new RecordedAccess { Agent = agents[agent].Node, Sequence = agents[agent].Sequence };
        }

        var sum = 0L;
        foreach (ref var access in accesses) access = access with { Sequence = access.Sequence + (sum += input.Int()) };
        foreach (ref var access in accesses) access = access with { Site = Known(_sites, input.UInt(), "site") };
        foreach (ref var access in accesses)
            access = access with { Participant = Known(_participants, input.UInt(), "participant") };
        sum = start;
        foreach (ref var access in accesses) access = access with { Time = sum += (long)input.UInt() };
        foreach (ref var access in accesses) access = access with { Number = (int)input.UInt() };
        foreach (ref var access in accesses) access = access with { Flags = (AccessEventFlags)input.Byte() };
        foreach (ref var access in accesses) access = access with { Generation = input.Byte() };
        return accesses;
    }

    private ReadOnlySpan<Decoded> ReadAttempts(ref ByteReader input, long start)
    {
        var count = input.Count();
        if (_attempts.Length < count) _attempts = new Decoded[count];
        var attempts = _attempts.AsSpan(0, count);
        var sum = 0L;
        foreach (ref var attempt in attempts) attempt.Sequence = sum += input.Int();
        sum = 0;
        foreach (ref var attempt in attempts) attempt.First = sum += input.Int();
        sum = start;
        foreach (ref var attempt in attempts) attempt.End = sum += (long)input.UInt();
        foreach (ref var attempt in attempts) attempt.Duration = (long)input.UInt();
        foreach (ref var attempt in attempts) attempt.Waited = (long)input.UInt();
        foreach (ref var attempt in attempts) attempt.Type = Known(_types, input.UInt(), "type");
        foreach (ref var attempt in attempts) attempt.Attempt = (int)input.UInt();
        foreach (ref var attempt in attempts) attempt.Accesses = (int)input.UInt();
        foreach (ref var attempt in attempts) attempt.Outcome = input.Byte();
        foreach (ref var attempt in attempts) attempt.Flags = (AttemptEventFlags)input.Byte();
        foreach (ref var attempt in attempts) attempt.Generation = input.Byte();
        return attempts;
    }

    private static int Known(List<int> numbers, ulong number, string what) =>
        number < (ulong)numbers.Count
            ? numbers[(int)number]
            : throw new CodingException($"There is no {what} {number}: the file has introduced {numbers.Count}.");

    private struct Decoded
    {
        public long Sequence;
        public long First;
        public long End;
        public long Duration;
        public long Waited;
        public int Type;
        public int Attempt;
        public int Accesses;
        public byte Outcome;
        public AttemptEventFlags Flags;
        public byte Generation;

        public readonly RecordedAttempt ToRecorded(long node, int silo, int call)
        {
            var start = End - Duration;
            var arrival = Math.Min(start, First >> HybridClock.LogicalBits) - Waited;
            return new RecordedAttempt(
                node, Sequence, arrival, start, End, Type, Math.Max(1, Attempt), Accesses, Outcome, Flags, Generation,
                silo, call);
        }
    }
}
