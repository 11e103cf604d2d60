using System.Net;

namespace Polyjuice.Deploy.Tests.Pods;

/// <summary>
/// Customers of the bank, who send each other money through the service until they are stopped, and repeat nothing.
/// </summary>
/// <param name="pods">The silos.</param>
internal sealed class Customers(SiloPods pods) : IAsyncDisposable
{
    public const int Accounts = 24;
    private const int Count = 4;
    private const decimal Money = 100;

    private readonly PodClient _client = new(pods);
    private readonly CancellationTokenSource _stop = new();
    private readonly List<string> _failures = [];
    private Task _working = Task.CompletedTask;
    private long _calls;

    /// <summary>Calls that were answered as they should be.</summary>
    public long Calls => Interlocked.Read(ref _calls);

    /// <summary>Opens the accounts, and begins.</summary>
    public async Task BeginAsync()
    {
        for (var i = 0; i < Accounts; i++)
            await _client.DoAsync(HttpMethod.Post, $"/accounts/a{i}/deposits", new { amount = Money });
        _working = Task.WhenAll(
            Enumerable.Range(0, Count).Select(customer => Task.Run(() => WorkAsync(new Random(customer)))));
    }

    /// <summary>Stops.</summary>
    /// <returns>Calls that failed.</returns>
    public async Task<IReadOnlyList<string>> StopAsync()
    {
        await _stop.CancelAsync();
        await _working;
        return _failures;
    }

    /// <summary>Whether all of the money is there.</summary>
    public async Task<bool> IsConservedAsync()
    {
        decimal total = 0;
        for (var i = 0; i < Accounts; i++)
            total += (decimal)(await _client.DoAsync(HttpMethod.Get, $"/accounts/a{i}"))["balance"]!;
        return total == Accounts * Money;
    }

    public async ValueTask DisposeAsync()
    {
        await StopAsync();
        _client.Dispose();
        _stop.Dispose();
    }

    private async Task WorkAsync(Random random)
    {
        while (!_stop.IsCancellationRequested)
        {
            var from = random.Next(Accounts);
            var to = (from + 1 + random.Next(Accounts - 1)) % Accounts;
            var failure = await CallAsync(new { from = $"a{from}", to = $"a{to}", amount = random.Next(1, 50) });
            if (failure is null) Interlocked.Increment(ref _calls);
            else lock (_failures) _failures.Add(failure);
        }
    }

    // That there is not as much money is the bank's own answer, and no failure.
    private async Task<string?> CallAsync(object transfer)
    {
        try
        {
            var (status, answer) = await _client.CallAsync(HttpMethod.Post, "/transfers", transfer);
            return status is HttpStatusCode.OK or HttpStatusCode.Conflict
                ? null
                : $"{status}: {answer?.ToJsonString()}";
        }
        catch (Exception exception) when (exception
            is HttpRequestException or InvalidOperationException or TaskCanceledException)
        {
            return exception.Message;
        }
    }
}
