using System.Diagnostics;

namespace Polyjuice.Lab.Tool.Processes;

/// <summary>A silo in a process of its own. Thread-safe.</summary>
internal sealed class SiloProcess : IAsyncDisposable
{
    private static readonly TimeSpan _startTimeout = TimeSpan.FromMinutes(3);
    private readonly Process _process;
    private readonly TaskCompletionSource _ready = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly StreamWriter _log;
    private readonly Lock _gate = new();

    private SiloProcess(Process process, string logFile)
    {
        _process = process;
        _log = new StreamWriter(new FileStream(logFile, FileMode.Append, FileAccess.Write, FileShare.Read))
        {
            AutoFlush = true
        };
        process.OutputDataReceived += (_, line) => Hear(line.Data);
        process.ErrorDataReceived += (_, line) => Hear(line.Data);
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        Ended = process.WaitForExitAsync();
    }

    /// <summary>Completes when the process has ended.</summary>
    public Task Ended { get; }

    /// <summary>Its number on this machine.</summary>
    public int Id => _process.Id;

    /// <summary>Starts one.</summary>
    /// <param name="setting">What it is told.</param>
    /// <param name="storage">The account's connection string.</param>
    /// <param name="logFile">Gets what it says.</param>
    public static SiloProcess Start(SiloSetting setting, string storage, string logFile)
    {
        var start = new ProcessStartInfo(
            "dotnet",
            [
                "exec",
                Path.Combine(AppContext.BaseDirectory, "Polyjuice.Lab.dll"),
                Commands.SiloCommand.Name,
                .. setting.Arguments()
            ])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment[SiloSetting.StorageVariable] = storage;
        return new(Process.Start(start)!, logFile);
    }

    /// <summary>Completes when it serves, or has ended before.</summary>
    /// <returns><see langword="null"/> if it serves; otherwise its exit code.</returns>
    /// <exception cref="TimeoutException">It comes to neither.</exception>
    public async Task<int?> WhenReadyAsync()
    {
        await Task.WhenAny(_ready.Task, Ended).WaitAsync(_startTimeout).ConfigureAwait(false);
        return _ready.Task.IsCompleted ? null : _process.ExitCode;
    }

    /// <summary>Ends it as nothing else does: kill -9. Does nothing if it has ended.</summary>
    public async Task KillAsync()
    {
        try
        {
            _process.Kill();
        }
        catch (InvalidOperationException)
        {
            // It has just ended.
        }

        await Ended.ConfigureAwait(false);
    }

    /// <summary>It stands still: SIGSTOP.</summary>
    public Task StopAsync() => SignalAsync("-STOP");

    /// <summary>It goes on: SIGCONT.</summary>
    public Task ContinueAsync() => SignalAsync("-CONT");

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await KillAsync().ConfigureAwait(false);
        lock (_gate) _log.Dispose();
        _process.Dispose();
    }

    private async Task SignalAsync(string signal)
    {
        using var kill = Process.Start(
            "kill", [signal, _process.Id.ToString(System.Globalization.CultureInfo.InvariantCulture)]);
        await kill.WaitForExitAsync().ConfigureAwait(false);
    }

    private void Hear(string? line)
    {
        if (line is null) return;
        if (line == SiloSetting.Ready) _ready.TrySetResult();
        lock (_gate)
        {
            if (_log.BaseStream is { CanWrite: true }) _log.WriteLine(line);
        }
    }
}
