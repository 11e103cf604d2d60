using System.Globalization;

namespace Polyjuice.Isolation.Tests.Harness;

/// <summary>
/// Histories in a few characters: <c>a x 1</c> appends, <c>w x 1</c> writes, <c>r x [1 2]</c>, <c>r x 1</c> and <c>r x
/// nil</c> read; steps are separated by commas.
/// </summary>
internal sealed class Script
{
    private readonly HistoryBuilder _builder = new();
    private readonly Dictionary<int, MicroOp[]> _running = [];

    /// <summary>
    /// All at once: invoked before any of them is told, each by a process of its own, so that real time says nothing.
    /// </summary>
    public static History Concurrent(params string[] transactions)
    {
        var script = new Script();
        for (var i = 0; i < transactions.Length; i++) script.Invoke(i, transactions[i].TrimStart('!', '?'));
        for (var i = 0; i < transactions.Length; i++)
        {
            if (transactions[i][0] == '!') script.Fail(i);
            else if (transactions[i][0] == '?') script.Info(i);
            else script.Ok(i);
        }

        return script.Build();
    }

    /// <summary>One after the other, each by a process of its own.</summary>
    public static History InTurn(params string[] transactions)
    {
        var script = new Script();
        for (var i = 0; i < transactions.Length; i++) script.Invoke(i, transactions[i]).Ok(i);
        return script.Build();
    }

    public Script Invoke(int process, string transaction)
    {
        var steps = Parse(transaction);
        _running[process] = steps;
        _builder.Invoke(
            process, _builder.Count, [.. steps.Select(s => s.Kind == MicroOpKind.Read ? MicroOp.Read(s.Key) : s)]);
        return this;
    }

    public Script Ok(int process)
    {
        _builder.Ok(process, _builder.Count, _running[process]);
        return this;
    }

    public Script Fail(int process)
    {
        _builder.Fail(process, _builder.Count);
        return this;
    }

    public Script Info(int process)
    {
        _builder.Info(process, _builder.Count);
        return this;
    }

    /// <summary>The outcome is not known, and what it read is.</summary>
    public Script InfoWithReads(int process)
    {
        _builder.Info(process, _builder.Count, _running[process]);
        return this;
    }

    public History Build() => _builder.Build();

    private static MicroOp[] Parse(string transaction) =>
        [.. transaction.Split(',', StringSplitOptions.TrimEntries).Select(ParseStep)];

    private static MicroOp ParseStep(string step)
    {
        var words = step.Split(' ', 3);
        return words switch
        {
            ["a", var key, var element] => MicroOp.Append(key, Number(element)),
            ["w", var key, var value] => MicroOp.Write(key, Number(value)),
            ["r", var key, "nil"] => MicroOp.Read(key),
            ["r", var key, ['[', .. var list, ']']] =>
                MicroOp.ReadList(key, [.. list.Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(Number)]),
            ["r", var key, var value] => MicroOp.ReadValue(key, Number(value)),
            _ => throw new FormatException($"'{step}' is no step"),
        };
    }

    private static long Number(string text) => long.Parse(text, CultureInfo.InvariantCulture);
}
