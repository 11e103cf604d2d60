using System.Diagnostics;
using System.Globalization;

namespace Smallbank.Tests;

/// <summary>
/// A process is killed at random moments (kill -9) while it moves money on real files: while it opens them, recovers,
/// makes checkpoints, trims, and all the time under load. What it has said to be committed must be there when it is
/// started again, and money must neither appear nor vanish, which half a transfer would do.
/// </summary>
public sealed class ProcessKillTests : IDisposable
{
    private const int Clients = 8;
    private readonly string _folder = Directory.CreateTempSubdirectory("polyjuice-kill-tests-").FullName;
    private readonly long[] _least = new long[Clients];
    private readonly long[] _most = new long[Clients];

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    /// <summary>POLYJUICE_KILLS says how many times; 10 if it does not. POLYJUICE_KILL_SEED says when.</summary>
    [Fact]
    public async Task No_acknowledged_transfer_is_lost_and_none_is_half_done_when_the_process_is_killed()
    {
        var kills = Number("POLYJUICE_KILLS", 10);
        var random = new Random(Number("POLYJUICE_KILL_SEED", 1));
        long acknowledged = 0;
        for (var kill = 0; kill < kills; kill++)
            acknowledged += await RunAsync(killAfterLines: random.Next(random.Next(3) == 0 ? 30 : 600));
        Assert.Equal(0, await RunAsync(killAfterLines: 0, untilFound: true));
        Assert.True(
            acknowledged > 10L * kills, $"only {acknowledged} transfers in {kills} runs: the kills test nothing");
    }

    /// <summary>
    /// Starts the process, checks what it finds, and kills it. Returns how many transfers it acknowledged.
    /// </summary>
    private async Task<long> RunAsync(int killAfterLines, bool untilFound = false)
    {
        var start = new ProcessStartInfo("dotnet") { RedirectStandardOutput = true, RedirectStandardError = true };
        foreach (var argument in new[]
        {
            "exec", Path.Combine(AppContext.BaseDirectory, "Smallbank.KillTarget.dll"), _folder,
            Clients.ToString(CultureInfo.InvariantCulture)
        })
            start.ArgumentList.Add(argument);
        using var process = Process.Start(start)!;
        var errors = process.StandardError.ReadToEndAsync();
        long acknowledged = 0;
        var hasFound = false;
        for (var lines = 0; await process.StandardOutput.ReadLineAsync() is { } line;)
        {
            var words = line.Split(' ');
            acknowledged += words[0] == "acknowledged" ? 1 : 0;
            hasFound |= words[0] == "total";
            Take(words);
            if (++lines > killAfterLines && (hasFound || !untilFound) && !process.HasExited) process.Kill();
        }

        await process.WaitForExitAsync();
        Assert.True(await errors is "", await errors);

        // One transfer of each client was under way.
        if (hasFound)
        {
            for (var client = 0; client < Clients; client++) _most[client]++;
        }

        return untilFound && hasFound ? 0 : acknowledged;
    }

    private void Take(string[] words)
    {
        switch (words)
        {
            case ["found", var client, var moved]:
                var (index, count) =
                    (int.Parse(client, CultureInfo.InvariantCulture), long.Parse(moved, CultureInfo.InvariantCulture));
                if (index >= Clients) break;
                Assert.InRange(count, _least[index], _most[index]);
                _least[index] = _most[index] = count;
                break;
            case ["total", var total]:
                Assert.Equal("0", total);
                break;
            case ["acknowledged", var client]:
                _least[int.Parse(client, CultureInfo.InvariantCulture)]++;
                _most[int.Parse(client, CultureInfo.InvariantCulture)]++;
                break;
            case ["uncertain", var client]:
                _most[int.Parse(client, CultureInfo.InvariantCulture)]++;
                break;
        }
    }

    private static int Number(string variable, int otherwise) =>
        Environment.GetEnvironmentVariable(variable) is { } text
            ? int.Parse(text, CultureInfo.InvariantCulture)
            : otherwise;
}
