using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace BankSilo.Tests;

/// <summary>The program as a container runs it: arguments by the environment, its end by SIGTERM.</summary>
public sealed class ProcessTests
{
    private static readonly TimeSpan _patience = TimeSpan.FromMinutes(3);

    [Fact]
    public async Task SIGTERM_ends_it_in_good_order()
    {
        var ports = LoopbackPorts.Free(4);
        using var process = Start(
            ("Silo__SiloPort", $"{ports[0]}"),
            ("Silo__GatewayPort", $"{ports[1]}"),
            ("Silo__HttpPort", $"{ports[2]}"),
            ("Silo__ManagementPort", $"{ports[3]}"));
        try
        {
            await LineAsync(process, "Application started.");
            using var kill = Process.Start("kill", ["-TERM", $"{process.Id}"]);
            await LineAsync(process, "Orleans Silo stopped.");
            await process.WaitForExitAsync().WaitAsync(_patience);
            Assert.Equal(0, process.ExitCode);
        }
        finally
        {
            if (!process.HasExited) process.Kill();
        }
    }

    [Fact]
    public async Task SIGTERM_ends_a_start_that_gets_nowhere()
    {
        using var store = new TcpListener(IPAddress.Loopback, 0);
        store.Start();
        var ports = LoopbackPorts.Free(4);
        using var process = Start(
            ("Silo__SiloPort", $"{ports[0]}"), ("Silo__GatewayPort", $"{ports[1]}"), ("Silo__HttpPort", $"{ports[2]}"),
            ("Silo__ManagementPort", $"{ports[3]}"), ("Silo__Logs", "AzureBlobs"),
            ("AzureBlobLog__ServiceUri",
                $"http://127.0.0.1:{((IPEndPoint)store.LocalEndpoint).Port}/account?sig=none"));
        try
        {
            var output = process.StandardOutput.ReadToEndAsync();
            using var request = await store.AcceptTcpClientAsync().WaitAsync(_patience);
            using var kill = Process.Start("kill", ["-TERM", $"{process.Id}"]);
            await process.WaitForExitAsync().WaitAsync(_patience);
            Assert.True(
                process.ExitCode == 0,
                $"{process.ExitCode}: {await output} {await process.StandardError.ReadToEndAsync()}");
        }
        finally
        {
            if (!process.HasExited) process.Kill();
        }
    }

    [Theory]
    [InlineData("Silo__Clustering", "AzureTable", "Silo:ClusteringConnectionString is missing")]
    [InlineData("Silo__Clustering", "Nowhere", "'Nowhere' at 'Silo:Clustering'")]
    [InlineData("Silo__AdvertisedAddress", "me", "not an IP address")]
    [InlineData("Polyjuice__Policy", "ic9", "PolyjuiceOptions.Policy is 'ic9': There is no built-in policy")]
    [InlineData("Polyjuice__Policy", "/no/such/policy.json", "/no/such/policy.json")]
    [InlineData("Polyjuice__TakeOverTimeout", "00:00:00", "TakeOverTimeout")]
    public async Task What_it_cannot_run_with_is_named_and_ends_it(string variable, string value, string expected)
    {
        // Not the default ports, which somebody may listen on.
        var ports = LoopbackPorts.Free(4);
        using var process = Start(
            ("Silo__SiloPort", $"{ports[0]}"),
            ("Silo__GatewayPort", $"{ports[1]}"),
            ("Silo__HttpPort", $"{ports[2]}"),
            ("Silo__ManagementPort", $"{ports[3]}"),
            (variable, value));
        var errors = await process.StandardError.ReadToEndAsync().WaitAsync(_patience);
        await process.WaitForExitAsync().WaitAsync(_patience);
        Assert.Equal(2, process.ExitCode);
        Assert.Contains(expected, errors, StringComparison.Ordinal);
    }

    private static Process Start(params (string Name, string Value)[] environment)
    {
        var start = new ProcessStartInfo("dotnet", ["exec", Path.Combine(AppContext.BaseDirectory, "BankSilo.dll")])
        {
            RedirectStandardOutput = true, RedirectStandardError = true
        };
        foreach (var (name, value) in environment) start.Environment[name] = value;
        return Process.Start(start)!;
    }

    private static async Task LineAsync(Process process, string part)
    {
        var said = new List<string>();
        while (await process.StandardOutput.ReadLineAsync().WaitAsync(_patience) is { } line)
        {
            if (line.Contains(part, StringComparison.Ordinal)) return;
            said.Add(line);
        }

        Assert.Fail(
            $"It ended without saying \"{part}\": "
            + $"{string.Join('\n', said)}\n{await process.StandardError.ReadToEndAsync()}");
    }
}
