using System.Diagnostics;
using System.Security.Cryptography;
using System.Text.RegularExpressions;

namespace Polyjuice.Tests.Shared;

/// <summary>
/// An Azurite process: in memory, on free ports of this machine, for an
/// account of its own. It ends with this process, however that ends.
/// </summary>
public sealed partial class AzuriteServer : IAsyncDisposable
{
    private const string Account = "polyjuice";
    private static readonly TimeSpan s_startTimeout = TimeSpan.FromMinutes(2);
    private static readonly TimeSpan s_stopTimeout = TimeSpan.FromSeconds(10);
    private readonly Process _process;

    private AzuriteServer(Process process, int blobPort, int tablePort, string key)
    {
        _process = process;
        Key = key;
        Endpoint = new Uri($"http://127.0.0.1:{blobPort}/{Account}");
        TableEndpoint = new Uri($"http://127.0.0.1:{tablePort}/{Account}");
    }

    /// <summary>Of blobs.</summary>
    public Uri Endpoint { get; }

    public Uri TableEndpoint { get; }

    public string Key { get; }

    public string ConnectionString =>
        $"DefaultEndpointsProtocol=http;AccountName={Account};AccountKey={Key};BlobEndpoint={Endpoint};TableEndpoint={TableEndpoint};";

    public static async Task<AzuriteServer> StartAsync()
    {
        var key = Convert.ToBase64String(RandomNumberGenerator.GetBytes(64));
        var start = new ProcessStartInfo("node")
        {
            ArgumentList =
            {
                "--require", Path.Combine(AzuriteInstallation.Folder, "exit-with-parent.cjs"),
                AzuriteInstallation.Script, "--blobHost", "127.0.0.1", "--blobPort", "0", "--tableHost", "127.0.0.1",
                "--tablePort", "0", "--queueHost", "127.0.0.1", "--queuePort", "0", "--inMemoryPersistence",
                "--skipApiVersionCheck", "--disableTelemetry", "--silent",
            },
            Environment = { ["AZURITE_ACCOUNTS"] = $"{Account}:{key}" },
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        var process = Process.Start(start)!;
        var blobs = new TaskCompletionSource<int>(TaskCreationOptions.RunContinuationsAsynchronously);
        var tables = new TaskCompletionSource<int>(TaskCreationOptions.RunContinuationsAsynchronously);
        var said = new List<string>();
        void Hear(string? line)
        {
            if (line is null) return;
            lock (said) said.Add(line);
            if (Listens().Match(line) is { Success: true } match)
                (match.Groups[1].Value == "Blob" ? blobs : tables).TrySetResult(int.Parse(match.Groups[2].Value));
        }

        process.OutputDataReceived += (_, line) => Hear(line.Data);
        process.ErrorDataReceived += (_, line) => Hear(line.Data);
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        var ended = process.WaitForExitAsync();
        try
        {
            var listens = Task.WhenAll(blobs.Task, tables.Task);
            if (await Task.WhenAny(listens, ended).WaitAsync(s_startTimeout) == listens)
                return new AzuriteServer(process, await blobs.Task, await tables.Task, key);
            lock (said)
                throw new InvalidOperationException(
                    $"Azurite ended with exit code {process.ExitCode}: {string.Join(Environment.NewLine, said)}");
        }
        catch
        {
            if (!process.HasExited) process.Kill(entireProcessTree: true);
            process.Dispose();
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        // It ends when its input does.
        _process.StandardInput.Close();
        try
        {
            await _process.WaitForExitAsync().WaitAsync(s_stopTimeout);
        }
        catch (TimeoutException)
        {
            _process.Kill(entireProcessTree: true);
        }

        _process.Dispose();
    }

    [GeneratedRegex(@"(Blob|Table) service is successfully listening at http://127\.0\.0\.1:(\d+)")]
    private static partial Regex Listens();
}
