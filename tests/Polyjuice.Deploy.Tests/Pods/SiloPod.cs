using System.Diagnostics;
using System.Text.Json;

namespace Polyjuice.Deploy.Tests.Pods;

/// <summary>
/// A process of this machine that is started, asked and ended as the pod of a silo is by its kubelet: the image's
/// command line, the files and the environment of the container, its probes, its pause before the end, SIGTERM. What
/// differs is named here: ports, because all pods have one address, and the folder of the mounted files.
/// </summary>
internal sealed class SiloPod : IAsyncDisposable
{
    /// <summary>Pauses are shorter by this, because nothing on one machine takes as long to spread.</summary>
    public const int Haste = 5;

    private static readonly string[] s_ports = ["http", "management", "silo", "gateway"];

    private readonly Overlay _overlay;
    private readonly Process _process;
    private readonly string _folder;
    private readonly Dictionary<string, int> _ports;
    private readonly List<string> _said = [];
    private readonly HttpClient _http = new();
    private readonly CancellationTokenSource _end = new();
    private Task _following = Task.CompletedTask;
    private volatile bool _isReady;
    private volatile bool _isLeaving;
    private volatile bool _hasFailed;

    private SiloPod(Overlay overlay, string name, IReadOnlyDictionary<string, string> secrets)
    {
        (_overlay, Name) = (overlay, name);
        _folder = Directory.CreateTempSubdirectory("pod-").FullName;
        _ports = s_ports.Zip(LoopbackPorts.Free(s_ports.Length)).ToDictionary(port => port.First, port => port.Second);
        overlay.WriteFiles(_folder, volume => volume == "secrets" ? secrets : overlay.Content(volume)!);
        var command = JsonSerializer.Deserialize<string[]>(Dockerfile.Silos[overlay.Application].EntryPoint)!;
        var start = new ProcessStartInfo(command[0], command[1..])
        {
            WorkingDirectory = AppContext.BaseDirectory, RedirectStandardOutput = true, RedirectStandardError = true,
        };
        foreach (var (variable, value) in overlay.Environment(
            field => field == "status.podIP" ? "127.0.0.1" : name)) start.Environment[variable] =
            value;
        start.Environment[SiloFiles.FolderVariable] = _folder;
        start.Environment["Silo__PolicyFolder"] = Path.Combine(_folder, SiloFiles.Policies);
        foreach (var (setting, port) in new[]
        {
            ("HttpPort", "http"), ("ManagementPort", "management"), ("SiloPort", "silo"), ("GatewayPort", "gateway")
        })
            start.Environment[$"Silo__{setting}"] = $"{_ports[port]}";
        _process = Process.Start(start)!;
        _process.OutputDataReceived += (_, line) => Said(line.Data);
        _process.ErrorDataReceived += (_, line) => Said(line.Data);
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
    }

    public string Name { get; }

    /// <summary>Where a service sends calls.</summary>
    public int HttpPort => _ports["http"];

    /// <summary>Whether services send calls here.</summary>
    public bool IsEndpoint => _isReady && !_isLeaving;

    /// <summary>Whether the kubelet would have killed it.</summary>
    public bool HasFailed => _hasFailed;

    /// <summary>What it has written.</summary>
    public string Said()
    {
        lock (_said) return $"{Name}:\n{string.Join('\n', _said)}";
    }

    /// <summary>Starts one, and waits until the deployment counts it as available.</summary>
    public static async Task<SiloPod> StartAsync(
        Overlay overlay, string name, IReadOnlyDictionary<string, string> secrets)
    {
        var pod = new SiloPod(overlay, name, secrets);
        try
        {
            await pod.WhenAvailableAsync();
            return pod;
        }
        catch
        {
            await pod.DisposeAsync();
            throw;
        }
    }

    /// <summary>
    /// Ends it as Kubernetes does: services forget it, the pause, SIGTERM, and an end within the time of grace.
    /// </summary>
    /// <returns>The process's exit code.</returns>
    public async Task<int> EndAsync()
    {
        var (grace, pause) =
            (Seconds(
                _overlay.Pod["spec"]!["terminationGracePeriodSeconds"]!), Seconds(
                    _overlay.Container["lifecycle"]!["preStop"]!["sleep"]!["seconds"]!));
        _isLeaving = true;
        await Task.Delay(pause / Haste);
        await _end.CancelAsync();
        using var kill = Process.Start("kill", ["-TERM", $"{_process.Id}"]);
        try
        {
            await _process.WaitForExitAsync().WaitAsync(grace - pause);
        }
        catch (TimeoutException)
        {
            Assert.Fail($"It had not ended {grace - pause} after SIGTERM, and would be killed. {Said()}");
        }

        return _process.ExitCode;
    }

    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync();
        if (!_process.HasExited) _process.Kill(entireProcessTree: true);
        await _process.WaitForExitAsync();
        try
        {
            await _following;
        }
        catch (OperationCanceledException)
        {
            // It was followed until now.
        }

        _process.Dispose();
        _http.Dispose();
        _end.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    private static TimeSpan Seconds(JsonNode node) => TimeSpan.FromSeconds((int)node);

    private async Task WhenAvailableAsync()
    {
        Assert.True(await Probe("startupProbe").SucceedsAsync(_end.Token), $"It has not started. {Said()}");
        var ready = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _following = Task.WhenAll(
            Probe("readinessProbe")
                .FollowAsync(isWell => { _isReady = isWell; if (isWell) ready.TrySetResult(); }, _end.Token),
            Probe("livenessProbe").FollowAsync(isWell => _hasFailed |= !isWell, _end.Token));
        await ready.Task;
        await Task.Delay(Seconds(_overlay.Deployment["spec"]!["minReadySeconds"]!) / Haste);
    }

    private Probe Probe(string name) => new(_overlay.Container, name, port => _ports[port], _http);

    private void Said(string? line)
    {
        if (line is null) return;
        lock (_said) _said.Add(line);
    }
}
