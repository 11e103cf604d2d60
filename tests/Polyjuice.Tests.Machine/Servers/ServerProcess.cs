using System.Diagnostics;
using System.Globalization;

namespace Polyjuice.Tests.Shared;

/// <summary>
/// A server's process, which has said that it is ready. It ends when it is told to, and with this process, however
/// that ends. Ended by its number alone.
/// </summary>
internal sealed class ServerProcess : IAsyncDisposable
{
    private static readonly TimeSpan s_startTimeout = TimeSpan.FromMinutes(2);
    private static readonly TimeSpan s_stopTimeout = TimeSpan.FromSeconds(20);
    private readonly Process _process;
    private readonly Process _guard;
    private readonly string _signal;

    private ServerProcess(Process process, Process guard, string signal)
    {
        _process = process;
        _guard = guard;
        _signal = signal;
    }

    /// <summary>Starts it.</summary>
    /// <param name="start">The program and its arguments.</param>
    /// <param name="ready">What a line says that it writes when it takes connections.</param>
    /// <param name="signal">What ends it in order, by the name that <c>kill</c> knows.</param>
    public static async Task<ServerProcess> StartAsync(ProcessStartInfo start, string ready, string signal)
    {
        start.RedirectStandardOutput = true;
        start.RedirectStandardError = true;
        var process = Process.Start(start)!;
        Process? guard = null;
        try
        {
            // Its input ends with this process.
            guard = Process.Start(
                new ProcessStartInfo(
                "/bin/sh",
                ["-c", $"cat >/dev/null; kill -{signal} \"$1\" 2>/dev/null", "guard",
                Number(process)]) { RedirectStandardInput = true })!;
            var isReady = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            var said = new List<string>();
            void Hear(string? line)
            {
                if (line is null) return;
                lock (said) said.Add(line);
                if (line.Contains(ready, StringComparison.Ordinal)) isReady.TrySetResult();
            }

            process.OutputDataReceived += (_, line) => Hear(line.Data);
            process.ErrorDataReceived += (_, line) => Hear(line.Data);
            process.BeginOutputReadLine();
            process.BeginErrorReadLine();
            if (await Task.WhenAny(isReady.Task, process.WaitForExitAsync()).WaitAsync(
                s_startTimeout) == isReady.Task) return new ServerProcess(process, guard, signal);
            lock (said) throw new InvalidOperationException(
                $"{start.FileName} ended with exit code {process.ExitCode}: {string.Join(Environment.NewLine, said)}");
        }
        catch
        {
            if (!process.HasExited) process.Kill(entireProcessTree: true);
            guard?.Kill();
            throw;
        }
    }

    /// <summary>Runs a program to its end.</summary>
    /// <exception cref="InvalidOperationException">It failed; the message has what it said.</exception>
    public static async Task RunAsync(ProcessStartInfo start)
    {
        start.RedirectStandardOutput = true;
        start.RedirectStandardError = true;
        using var process = Process.Start(start)!;
        var said = await Task.WhenAll(
            process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync()).WaitAsync(s_startTimeout);
        await process.WaitForExitAsync();
        if (process.ExitCode != 0) throw new InvalidOperationException(
            $"{start.FileName} {string.Join(' ', start.ArgumentList)} ended with exit code {process.ExitCode}: "
            + $"{string.Concat(said)}");
    }

    /// <summary>Ends it in the middle of whatever it does (SIGKILL), with all processes that it has started.</summary>
    public async Task KillAsync()
    {
        var children = Children();
        _process.Kill(entireProcessTree: true);
        await _process.WaitForExitAsync();
        foreach (var child in children)
        {
            using (child) await child.WaitForExitAsync().WaitAsync(s_stopTimeout);
        }

        await EndGuardAsync();
    }

    /// <summary>Has all of its processes stand still, or go on.</summary>
    public async Task SignalAllAsync(string signal)
    {
        var children = Children();
        await RunAsync(new ProcessStartInfo("kill", ["-" + signal, Number(_process), .. children.Select(Number)]));
        foreach (var child in children) child.Dispose();
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        if (!_process.HasExited)
        {
            await RunAsync(new ProcessStartInfo("kill", ["-" + _signal, Number(_process)]));
            try
            {
                await _process.WaitForExitAsync().WaitAsync(s_stopTimeout);
            }
            catch (TimeoutException)
            {
                _process.Kill(entireProcessTree: true);
            }
        }

        await EndGuardAsync();
        _process.Dispose();
    }

    private static string Number(Process process) => process.Id.ToString(CultureInfo.InvariantCulture);

    private async Task EndGuardAsync()
    {
        if (_guard.HasExited) return;

        // Not by its input, or it would send a signal to a process that is no more.
        _guard.Kill(entireProcessTree: true);
        await _guard.WaitForExitAsync();
    }

    private List<Process> Children()
    {
        var children = new List<Process>();
        var file = $"/proc/{Number(_process)}/task/{Number(_process)}/children";
        if (!File.Exists(file)) return children;
        foreach (var number in File.ReadAllText(file).Split(' ', StringSplitOptions.RemoveEmptyEntries))
        {
            try
            {
                children.Add(Process.GetProcessById(int.Parse(number, CultureInfo.InvariantCulture)));
            }
            catch (ArgumentException)
            {
                // It has ended.
            }
        }

        return children;
    }
}
