using System.Globalization;
using Polyjuice.Training.Search;
using Spectre.Console;

namespace Polyjuice.CommandLine;

/// <summary>Shows how far a search is: a bar where there is a console, a line now and then where there is none.</summary>
/// <param name="output">Where lines go.</param>
/// <param name="budget">Of the search.</param>
/// <param name="name">The search's.</param>
public sealed class SearchDisplay(TextWriter output, SearchBudget budget, string name)
{
    private static readonly TimeSpan _linePeriod = TimeSpan.FromSeconds(10);

    private TimeSpan _lastLine = TimeSpan.MinValue;

    /// <summary>Runs a search, which is told whom to report to.</summary>
    public T Run<T>(Func<Action<SearchPoint>, T> search)
    {
        if (!ReferenceEquals(output, Console.Out) || !AnsiConsole.Profile.Capabilities.Interactive) return search(Line);
        T result = default!;
        AnsiConsole.Progress().AutoClear(true).HideCompleted(false).Columns(new TaskDescriptionColumn { Alignment = Justify.Left }, new ProgressBarColumn(), new PercentageColumn()).Start(context =>
        {
            var task = context.AddTask("the tables to begin with");
            result = search(point =>
            {
                task.Description = Describe(point).EscapeMarkup();
                task.Value = 100 * Used(point);
            });
            task.Value = 100;
        });
        return result;
    }

    private double Used(SearchPoint point) => Math.Min(1, Math.Max(point.Elapsed / budget.Time, (double)point.Evaluations / budget.Evaluations));

    private string Describe(SearchPoint point)
    {
        var used = Used(point);
        var left = used > 0 ? point.Elapsed * ((1 - used) / used) : budget.Time;
        return string.Create(CultureInfo.InvariantCulture, $"{name}, iteration {point.Iteration}: best {point.Best:n0}/s, mean {point.Mean:n0}/s, {point.Evaluations:n0} replays, {left:h\\:mm\\:ss} left");
    }

    private void Line(SearchPoint point)
    {
        if (_lastLine != TimeSpan.MinValue && point.Elapsed - _lastLine < _linePeriod) return;
        _lastLine = point.Elapsed;
        output.WriteLine(Describe(point));
    }
}
