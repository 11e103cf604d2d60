using System.Diagnostics;
using System.Text;

namespace Polyjuice.Packages.Tests;

/// <summary>A run of <c>dotnet</c>, or of a program, with all that it prints.</summary>
internal sealed class DotnetCommand : IDisposable
{
    /// <summary>A safety net: whatever is run here ends long before.</summary>
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(5);

    private readonly Process _process;
    private readonly StringBuilder _output = new();
    private readonly Task _hasEnded;

    private DotnetCommand(
        string program, string folder, IEnumerable<string> arguments,
        IEnumerable<KeyValuePair<string, string>>? environment = null)
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            WorkingDirectory = folder,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };

        // The build that runs these tests must not decide how the one outside goes.
        foreach (var name in start.Environment.Keys.Where(IsOfTheBuild).ToArray()) start.Environment.Remove(name);

        // Build servers would outlive the tests.
        start.Environment["MSBUILDDISABLENODEREUSE"] = "1";
        start.Environment["DOTNET_CLI_USE_MSBUILD_SERVER"] = "0";
        start.Environment["UseSharedCompilation"] = "false";
        start.Environment["DOTNET_NOLOGO"] = "1";
        start.Environment["DOTNET_CLI_TELEMETRY_OPTOUT"] = "1";
        foreach (var (name, value) in environment ?? []) start.Environment[name] = value;
        _process = new Process { StartInfo = start };
        _process.OutputDataReceived += (_, line) => Take(line.Data);
        _process.ErrorDataReceived += (_, line) => Take(line.Data);
        _process.Start();
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
        _hasEnded = _process.WaitForExitAsync();
    }

    /// <summary>Called for each line that is printed.</summary>
    private event Action<string>? Printed;

    /// <summary>Where the program is that runs these tests' own.</summary>
    public static string Dotnet => Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet";

    private string Output
    {
        get
        {
            lock (_output) return _output.ToString();
        }
    }

    /// <summary>Runs <c>dotnet</c> to its end.</summary>
    /// <returns>What it has printed.</returns>
    /// <exception cref="InvalidOperationException">It failed; the message has its output.</exception>
    public static Task<string> RunAsync(string folder, params string[] arguments) =>
        RunProgramAsync(Dotnet, folder, arguments);

    /// <summary>Likewise, with more in its environment.</summary>
    public static async Task<string> RunWithAsync(
        IEnumerable<KeyValuePair<string, string>> environment, string folder, params string[] arguments)
    {
        using var command = new DotnetCommand(Dotnet, folder, arguments, environment);
        return await command.EndAsync();
    }

    /// <summary>Likewise, of any program.</summary>
    public static async Task<string> RunProgramAsync(string program, string folder, params string[] arguments)
    {
        using var command = new DotnetCommand(program, folder, arguments);
        return await command.EndAsync();
    }

    /// <summary>Starts <c>dotnet</c>.</summary>
    public static DotnetCommand Start(string folder, params string[] arguments) => new(Dotnet, folder, arguments);

    /// <summary>Likewise, with more in its environment.</summary>
    public static DotnetCommand StartWith(
        IEnumerable<KeyValuePair<string, string>> environment, string folder, params string[] arguments) =>
        new(Dotnet, folder, arguments, environment);

    /// <summary>Waits for a line that has something in it.</summary>
    /// <returns>The line.</returns>
    /// <exception cref="InvalidOperationException">It ended without; the message has its output.</exception>
    public async Task<string> WhenPrintedAsync(string part)
    {
        var line = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        Printed += Look;
        foreach (var printed in Output.Split(Environment.NewLine)) Look(printed);
        await Task.WhenAny(line.Task, _hasEnded).WaitAsync(s_patience);
        return line.Task.IsCompleted
            ? await line.Task
            : throw Failure($"ended with {_process.ExitCode} and never printed \"{part}\"");

        void Look(string printed)
        {
            if (printed.Contains(part, StringComparison.Ordinal)) line.TrySetResult(printed);
        }
    }

    /// <summary>Asks it to end, as whoever stops a service does (SIGTERM), and waits for its end.</summary>
    /// <returns>What it has printed.</returns>
    /// <exception cref="InvalidOperationException">It failed; the message has its output.</exception>
    public async Task<string> TerminateAsync()
    {
        using var kill = Process.Start("kill", ["-TERM", $"{_process.Id}"]);
        return await EndAsync();
    }

    /// <summary>Closes its input, and waits for its end.</summary>
    /// <returns>What it has printed.</returns>
    /// <exception cref="InvalidOperationException">It failed; the message has its output.</exception>
    public async Task<string> EndAsync()
    {
        _process.StandardInput.Close();
        await _hasEnded.WaitAsync(s_patience);
        return _process.ExitCode == 0 ? Output : throw Failure($"ended with {_process.ExitCode}");
    }

    public void Dispose()
    {
        if (!_process.HasExited) _process.Kill(entireProcessTree: true);
        _process.Dispose();
    }

    private void Take(string? line)
    {
        if (line is null) return;
        lock (_output) _output.AppendLine(line);
        Printed?.Invoke(line);
    }

    private InvalidOperationException Failure(string what)
    {
        var command = string.Join(' ', _process.StartInfo.ArgumentList.Prepend(_process.StartInfo.FileName));
        return new($"{command}: {what}.{Environment.NewLine}{Output}");
    }

    private static bool IsOfTheBuild(string variable) =>
        variable.StartsWith("MSBuild", StringComparison.OrdinalIgnoreCase) ||
        variable.StartsWith("VSTEST", StringComparison.OrdinalIgnoreCase) ||
        variable.StartsWith("CORECLR", StringComparison.OrdinalIgnoreCase);
}
