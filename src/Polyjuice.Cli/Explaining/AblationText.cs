using System.Globalization;
using System.Text;
using Polyjuice.Training.Scoring;
using Polyjuice.Training.Search;

namespace Polyjuice.Cli.Explaining;

/// <summary>An ablation for people.</summary>
internal static class AblationText
{
    /// <summary>As plain text.</summary>
    /// <param name="ablation">What was found out.</param>
    /// <param name="table">The policy's name.</param>
    /// <param name="source">The trace, for people.</param>
    public static string Of(AblationResult ablation, string table, string source)
    {
        var text = new StringBuilder();
        text.Append(
            CultureInfo.InvariantCulture,
            $"What its cells are worth, by {ablation.Table.Scores.Count} replays of each table "
            + $"on held-out data of {source}\n");
        foreach (var trial in ablation.Compared.Prepend(ablation.Table))
        {
            var than = Than(ablation, trial);
            text.Append(CultureInfo.InvariantCulture, $"  {trial.Name} commits {trial.Mean:n0}/s{than}.\n");
        }

        if (ablation.Groups.Count > 0) text.Append(Lines(ablation, table));
        if (ablation.Wanted == 0)
            text.Append($"  No cell of a type that contends differs from {ablation.Best.Name}'s.\n");
        if (!ablation.IsWhole)
            text.Append($"  Ended early: {ablation.Groups.Count} of {ablation.Wanted} groups are known.\n");
        return text.ToString();
    }

    /// <summary>What a group of cells is called.</summary>
    public static string NameOf(AblatedGroup group) => $"{NameOf(group.Kind)}, {group.Type ?? "all types"}";

    /// <summary>What is done to a policy in the first column of figures, and to the other one in the second.</summary>
    public static (string Without, string Alone) Columns(AblationResult ablation, string table) =>
        ($"{table} with {ablation.Best.Name}'s", $"{ablation.Best.Name} with {table}'s");

    private static string NameOf(CellKind kind) => kind switch
    {
        CellKind.Read => "version read",
        CellKind.Write => "visibility",
        CellKind.EarlyValidation => "early validation",
        CellKind.Wait => "waits",
        CellKind.Holders => "waits for holders",
        CellKind.Heat => "hot participants",
        _ => "backoff",
    };

    private static string Than(AblationResult ablation, TrialResult trial)
    {
        if (ReferenceEquals(trial, ablation.Table)) return "";
        var (gain, error) = ablation.Table.Over(trial);
        return $"; the table makes {ChangeText.With(gain, error)}";
    }

    private static string Lines(AblationResult ablation, string table)
    {
        var (without, alone) = Columns(ablation, table);
        var width = ablation.Groups.Max(group => NameOf(group).Length);
        var first = Math.Max(without.Length, 14);
        var text = new StringBuilder($"  {"cells".PadRight(width)}  differ  {without.PadLeft(first)}  {alone}\n");
        foreach (var group in ablation.Groups)
        {
            var changes = $"{Change(group.Without).PadLeft(first)}  {Change(group.Alone).PadLeft(alone.Length)}";
            text.Append($"  {NameOf(group).PadRight(width)}  {group.Cells,6}  {changes}\n");
        }

        return text.ToString();
    }

    private static string Change(ScoreChange change) => ChangeText.With(change.Gain, change.Error);
}
