using Spectre.Console;

namespace Polyjuice.CommandLine;

/// <summary>How far work is.</summary>
/// <param name="Text">What is being done.</param>
/// <param name="Share">How much of it is done, 0 to 1.</param>
/// <param name="Elapsed">Since it began.</param>
internal readonly record struct WorkProgress(string Text, double Share, TimeSpan Elapsed);

/// <summary>
/// Shows how far long work is: a bar where there is a console, a line now and then where there is none.
/// </summary>
/// <param name="output">Where lines go.</param>
/// <param name="first">What is done before anything is reported.</param>
internal sealed class ProgressDisplay(TextWriter output, string first)
{
    private static readonly TimeSpan _linePeriod = TimeSpan.FromSeconds(10);

    private TimeSpan _lastLine = TimeSpan.MinValue;

    /// <summary>Does the work, which is told whom to report to; never twice at a time.</summary>
    public T Run<T>(Func<Action<WorkProgress>, T> work)
    {
        ArgumentNullException.ThrowIfNull(work);
        if (!IsShown) return work(Line);
        T result = default!;
        Bar().Start(context =>
        {
            var task = context.AddTask(first);
            result = work(progress => Show(task, progress));
            task.Value = 100;
        });
        return result;
    }

    /// <summary>The same for work that waits.</summary>
    public async Task<T> RunAsync<T>(Func<Action<WorkProgress>, Task<T>> work)
    {
        ArgumentNullException.ThrowIfNull(work);
        if (!IsShown) return await work(Line).ConfigureAwait(false);
        T result = default!;
        await Bar().StartAsync(async context =>
        {
            var task = context.AddTask(first);
            result = await work(progress => Show(task, progress)).ConfigureAwait(false);
            task.Value = 100;
        }).ConfigureAwait(false);
        return result;
    }

    private bool IsShown => ReferenceEquals(output, Console.Out) && AnsiConsole.Profile.Capabilities.Interactive;

    private static Progress Bar() => AnsiConsole.Progress().AutoClear(true).HideCompleted(false)
        .Columns(
            new TaskDescriptionColumn { Alignment = Justify.Left }, new ProgressBarColumn(), new PercentageColumn());

    private static void Show(ProgressTask task, WorkProgress progress)
    {
        task.Description = progress.Text.EscapeMarkup();
        task.Value = 100 * progress.Share;
    }

    private void Line(WorkProgress progress)
    {
        if (_lastLine != TimeSpan.MinValue && progress.Elapsed - _lastLine < _linePeriod) return;
        _lastLine = progress.Elapsed;
        output.WriteLine(progress.Text);
    }
}
