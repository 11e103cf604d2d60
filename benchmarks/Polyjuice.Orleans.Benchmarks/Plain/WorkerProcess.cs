using System.Diagnostics;
using System.Globalization;

namespace Polyjuice.Orleans.Benchmarks.Plain;

/// <summary>A <see cref="PlainWorker"/>, seen from the process that measures.</summary>
internal sealed class WorkerProcess : IAsyncDisposable
{
    private static readonly TimeSpan s_answerMax = TimeSpan.FromSeconds(60);

    private readonly Process _process;

    private WorkerProcess(Process process) => _process = process;

    /// <summary>Starts one, and waits until its silo serves.</summary>
    /// <exception cref="InvalidOperationException">It ended, or said something else.</exception>
    public static async Task<WorkerProcess> StartAsync(Arm arm, int callers, CancellationToken cancellationToken)
    {
        var start = new ProcessStartInfo(Environment.ProcessPath!) { RedirectStandardInput = true, RedirectStandardOutput = true };
        var program = typeof(WorkerProcess).Assembly.Location;

        // Run by `dotnet program.dll`, it is `dotnet` that runs.
        if (!Path.GetFileNameWithoutExtension(Environment.ProcessPath!).Equals(Path.GetFileNameWithoutExtension(program), StringComparison.OrdinalIgnoreCase)) start.ArgumentList.Add(program);
        foreach (var argument in new[] { "plain-worker", "--engines", arm.Name, "--clients", callers.ToString(CultureInfo.InvariantCulture) }) start.ArgumentList.Add(argument);
        var worker = new WorkerProcess(Process.Start(start)!);
        var said = await worker.ReadAsync(cancellationToken);
        if (said == PlainWorker.Ready) return worker;
        await worker.DisposeAsync();
        throw new InvalidOperationException($"The process for {arm.Name} said '{said}' instead of '{PlainWorker.Ready}'.");
    }

    /// <summary>A slice of load.</summary>
    /// <exception cref="InvalidOperationException">The process ended.</exception>
    /// <exception cref="TimeoutException">It did not answer within a minute.</exception>
    public async Task<Slice> MeasureAsync(PlainShape shape, TimeSpan length, CancellationToken cancellationToken)
    {
        await _process.StandardInput.WriteLineAsync(string.Create(CultureInfo.InvariantCulture, $"{shape.Name} {length.TotalSeconds}"));
        await _process.StandardInput.FlushAsync(cancellationToken);
        return Slice.Parse(await ReadAsync(cancellationToken));
    }

    /// <summary>Ends it: by its input, or by force if that is not enough.</summary>
    public async ValueTask DisposeAsync()
    {
        try
        {
            _process.StandardInput.Close();
            await _process.WaitForExitAsync().WaitAsync(s_answerMax);
        }
        catch (Exception exception) when (exception is TimeoutException or IOException)
        {
            _process.Kill();
        }

        _process.Dispose();
    }

    private async Task<string> ReadAsync(CancellationToken cancellationToken) =>
        await _process.StandardOutput.ReadLineAsync(cancellationToken).AsTask().WaitAsync(s_answerMax, cancellationToken)
        ?? throw new InvalidOperationException("A process that was to be measured has ended.");
}
