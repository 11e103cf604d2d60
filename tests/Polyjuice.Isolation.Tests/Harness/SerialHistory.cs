namespace Polyjuice.Isolation.Tests.Harness;

/// <summary>What kind of keys a random history has.</summary>
public enum Keys
{
    /// <summary>Lists.</summary>
    Lists,

    /// <summary>
    /// Registers that nobody writes without reading them first, so that their version order is known.
    /// </summary>
    UpdatedRegisters,

    /// <summary>Registers that anyone writes.</summary>
    BlindRegisters,
}

/// <summary>
/// Histories of a serial execution, with overlapping intervals around the points of execution: some transactions abort,
/// of some nobody knows, and these take effect or do not.
/// </summary>
internal sealed class SerialHistory(int seed, Keys kind, int transactions, int keys)
{
    private readonly Random _random = new(seed);
    private readonly Dictionary<HistoryKey, List<long>> _state = [];
    private long _value;

    public List<Operation> Operations { get; } = [];

    public static History Of(int seed, Keys kind, int transactions = 6, int keys = 2) =>
        new(new SerialHistory(seed, kind, transactions, keys).Run());

    /// <summary>
    /// The same with some committed reads, one at least, changed to something else that was read, or might have been.
    /// </summary>
    public static History Mutated(int seed, Keys kind, int transactions = 6, int keys = 2, int changesMax = 2)
    {
        var serial = new SerialHistory(seed, kind, transactions, keys);
        serial.Run();
        for (var i = serial._random.Next(changesMax); i >= 0; i--) serial.ChangeRead();
        return new History(serial.Operations);
    }

    public List<Operation> Run()
    {
        // At each step somebody is invoked, executes at once and whole, or is told.
        var invoked = new List<(int Process, MicroOp[] Steps)>();
        var executed = new List<(int Process, MicroOp[] Steps, OperationType Type)>();
        var next = 0;
        while (next < transactions || invoked.Count + executed.Count > 0)
        {
            var choice = _random.Next(3);
            if (choice == 0 && next < transactions)
            {
                var steps = Plan();
                Record(OperationType.Invoke, next, steps);
                invoked.Add((next++, steps));
            }
            else if (choice == 1 && invoked.Count > 0)
            {
                var at = _random.Next(invoked.Count);
                var (process, steps) = invoked[at];
                invoked.RemoveAt(at);
                var fate = _random.Next(12);

                // What a transaction of unknown outcome read is unknown too, so that its writes would be blind ones.
                if (kind == Keys.UpdatedRegisters && fate is (1 or 2)) fate = 3;
                var type = fate == 0 ? OperationType.Fail : fate <= 2 ? OperationType.Info : OperationType.Ok;
                var isEffective = type == OperationType.Ok || fate == 1;
                executed.Add((process, isEffective ? Execute(steps) : steps, type));
            }
            else if (choice == 2 && executed.Count > 0)
            {
                var at = _random.Next(executed.Count);
                var (process, steps, type) = executed[at];
                executed.RemoveAt(at);
                Record(type, process, type == OperationType.Ok ? steps : []);
            }
        }

        return Operations;
    }

    private MicroOp[] Plan()
    {
        var steps = new List<MicroOp>();
        for (var i = _random.Next(1, 4); i > 0; i--)
        {
            HistoryKey key = _random.Next(keys);
            var isWrite = _random.Next(2) == 0;
            if (!isWrite || (kind == Keys.UpdatedRegisters && !steps.Exists(s => s.Key == key)))
                steps.Add(MicroOp.Read(key));
            if (isWrite) steps.Add(kind == Keys.Lists ? MicroOp.Append(key, ++_value) : MicroOp.Write(key, ++_value));
        }

        return [.. steps];
    }

    private MicroOp[] Execute(MicroOp[] steps)
    {
        var results = new MicroOp[steps.Length];
        for (var i = 0; i < steps.Length; i++)
        {
            var step = steps[i];
            if (!_state.TryGetValue(step.Key, out var values)) _state.Add(step.Key, values = []);
            if (step.Kind != MicroOpKind.Read) values.Add(step.Value!.Value);
            results[i] = step.Kind != MicroOpKind.Read ? step : Result(step.Key, values, values.Count);
        }

        return results;
    }

    private MicroOp Result(HistoryKey key, List<long> values, int count) => kind == Keys.Lists
        ? MicroOp.ReadList(key, [.. values.Take(count)])
        : MicroOp.ReadValue(key, count == 0 ? null : values[count - 1]);

    private void ChangeRead()
    {
        var reads = new List<(int Operation, int Step)>();
        for (var i = 0; i < Operations.Count; i++)
        {
            for (var s = 0; Operations[i].Type == OperationType.Ok && s < Operations[i].Value.Count; s++)
            {
                if (Operations[i].Value[s].Kind == MicroOpKind.Read) reads.Add((i, s));
            }
        }

        if (reads.Count == 0) return;
        var (operation, step) = reads[_random.Next(reads.Count)];
        var key = Operations[operation].Value[step].Key;
        var values = _state.GetValueOrDefault(key) ?? [];
        var changed = Operations[operation].Value.ToArray();
        if (kind == Keys.Lists && values.Count > 1 && _random.Next(4) == 0)
        {
            // No state that there ever was.
            values = [.. values];
            var at = _random.Next(values.Count - 1);
            (values[at], values[at + 1]) = (values[at + 1], values[at]);
        }

        changed[step] = Result(key, values, _random.Next(values.Count + 1));
        Operations[operation] = Operations[operation] with { Value = changed };
    }

    private void Record(OperationType type, int process, MicroOp[] steps) =>
        Operations.Add(new Operation(Operations.Count, type, process, Operations.Count, steps));
}
