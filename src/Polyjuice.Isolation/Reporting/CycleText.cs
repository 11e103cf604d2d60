using System.Text;

namespace Polyjuice.Isolation;

/// <summary>Puts a cycle into words.</summary>
internal static class CycleText
{
    /// <summary>Of a longer cycle, the text has only the beginning and the end; the anomaly has all of it.</summary>
    private const int StepsMax = 24;

    public static string Of(IReadOnlyList<CycleStep> cycle) =>
        cycle.Count <= StepsMax
            ? Text(cycle, "")
            : Text(
                [.. cycle.Take(StepsMax - 1), cycle[^1]],
                $"  … {cycle.Count - StepsMax} more transactions in between …");

    private static string Text(IReadOnlyList<CycleStep> cycle, string gap)
    {
        var text = new StringBuilder();
        foreach (var step in cycle) text.Append($"T{step.From.Number} {Short(step)} ");
        text.Append($"T{cycle[0].From.Number}.");
        for (var i = 0; i < cycle.Count; i++)
        {
            var step = cycle[i];
            var isLast = i == cycle.Count - 1;
            if (isLast && gap.Length > 0) text.AppendLine().Append(gap);
            text.AppendLine()
                .Append(
                    $"  {(isLast && i > 0 ? "But " : "")}T{step.From.Number} precedes T{step.To.Number}: "
                    + $"{step.Reason}{(isLast ? ": a cycle." : ".")}");
        }

        foreach (var step in cycle) text.AppendLine().Append($"    {step.From}");
        return text.ToString();
    }

    private static string Short(CycleStep step) => step.Kind switch
    {
        DependencyKind.WriteWrite => "-ww->",
        DependencyKind.WriteRead => "-wr->",
        DependencyKind.ReadWrite => "-rw->",
        DependencyKind.Process => "-process->",
        _ => "-realtime->",
    };
}
