using System.Diagnostics;
using System.Net;
using System.Net.Http.Json;
using System.Runtime.Versioning;

namespace BankSilo.Tests;

/// <summary>
/// The program as its pod runs it: by the deployment's user, without any
/// capability, every file system read-only but the one for temporary files.
/// </summary>
[RequiresMount]
[SupportedOSPlatform("linux")]
public sealed class PodTests
{
    /// <summary>As <c>deploy/base/deployment.yaml</c> and the image have it.</summary>
    private const int User = 1654;

    private static readonly TimeSpan _patience = TimeSpan.FromMinutes(5);

    // A mount point that somebody else has removed meanwhile, such as another test's small disk, is no longer here
    // either. The program is copied, and .NET mounted beside it, because the folders above may be closed to that user.
    // What the kernel offers as file systems (/proc, /dev, /sys) is not the image's, and stays.
    private const string Script = """
        mount -t tmpfs -o mode=0755 tmpfs "$APP"
        cp -r "$SOURCE/." "$APP"
        mount --bind "$DOTNET" "$DOTNET_ROOT"
        mount -t tmpfs -o mode=1777 tmpfs "$TMPDIR"
        awk '{print $2}' /proc/self/mounts | while read -r mount; do
          case "$mount" in "$TMPDIR"|/proc*|/dev*|/sys*) ;; *) mount -o remount,ro,bind "$mount" || [ ! -e "$mount" ] ;; esac
        done
        for folder in / "$APP" "$SOURCE" "$DOTNET_ROOT"; do
          if touch "$folder/written" 2>/dev/null; then echo "$folder can be written."; exit 1; fi
        done
        cd "$APP"
        exec setpriv --reuid="$POD_USER" --regid="$POD_USER" --clear-groups --bounding-set=-all --inh-caps=-all --no-new-privs "$DOTNET_ROOT/dotnet" exec BankSilo.dll
        """;

    [ConditionalFact]
    public async Task It_serves_its_bank_without_rights_and_on_a_read_only_root()
    {
        var ports = LoopbackPorts.Free(4);
        var folders = Directory.CreateTempSubdirectory("bank-pod-");
        folders.UnixFileMode |= UnixFileMode.GroupRead | UnixFileMode.GroupExecute | UnixFileMode.OtherRead
            | UnixFileMode.OtherExecute;
        var (app, dotnet, temporary) =
            (folders.CreateSubdirectory(
                "app"), folders.CreateSubdirectory("dotnet"), folders.CreateSubdirectory("tmp"));
        var start = new ProcessStartInfo("unshare", ["--mount", "--propagation", "private", "sh", "-euc", Script])
        {
            RedirectStandardOutput = true, RedirectStandardError = true
        };
        foreach (var (name, value) in (ReadOnlySpan<(string, string)>)[
            ("SOURCE", AppContext.BaseDirectory), ("APP", app.FullName),
            ("DOTNET", Path.GetDirectoryName(Environment.ProcessPath)!), ("DOTNET_ROOT", dotnet.FullName),
            ("TMPDIR", temporary.FullName), ("POD_USER", $"{User}"), ("HOME", "/"), ("Silo__SiloPort", $"{ports[0]}"),
            ("Silo__GatewayPort", $"{ports[1]}"), ("Silo__HttpPort", $"{ports[2]}"),
            ("Silo__ManagementPort", $"{ports[3]}")]) start.Environment[name] = value;
        using var process = Process.Start(start)!;
        try
        {
            // Who stops reading stops the process once the pipe is full.
            var started = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            var said = new List<string>();
            void Said(string? line)
            {
                if (line is null) return;
                lock (said) said.Add(line);
                if (line.Contains("Application started.", StringComparison.Ordinal)) started.TrySetResult();
            }

            process.OutputDataReceived += (_, line) => Said(line.Data);
            process.ErrorDataReceived += (_, line) => Said(line.Data);
            process.BeginOutputReadLine();
            process.BeginErrorReadLine();
            await Task.WhenAny(started.Task, process.WaitForExitAsync()).WaitAsync(_patience);
            lock (said) Assert.True(started.Task.IsCompleted, string.Join('\n', said));

            var status = await File.ReadAllLinesAsync($"/proc/{process.Id}/status");
            Assert.Contains($"Uid:\t{User}\t{User}\t{User}\t{User}", status);
            Assert.Contains("CapEff:\t0000000000000000", status);
            using var http = new HttpClient { Timeout = _patience };
            Assert.Equal(
                HttpStatusCode.OK, (await http.GetAsync($"http://127.0.0.1:{ports[3]}/health/ready")).StatusCode);
            (await http.PostAsJsonAsync(
                $"http://127.0.0.1:{ports[2]}/accounts/ada/deposits", new { amount = 100 })).EnsureSuccessStatusCode();
            (await http.PostAsJsonAsync(
                $"http://127.0.0.1:{ports[2]}/transfers",
                new { from = "ada", to = "bruno", amount = 30 })).EnsureSuccessStatusCode();
            Assert.Equal(
                30, (await http.GetFromJsonAsync<Account>($"http://127.0.0.1:{ports[2]}/accounts/bruno"))!.Balance);

            using var kill = Process.Start("kill", ["-TERM", $"{process.Id}"]);
            await process.WaitForExitAsync().WaitAsync(_patience);
            Assert.Equal(0, process.ExitCode);
        }
        finally
        {
            if (!process.HasExited) process.Kill(entireProcessTree: true);
            folders.Delete(recursive: true);
        }
    }

    private sealed record Account(decimal Balance);
}
