using System.Net;
using System.Net.Http.Json;

namespace Polyjuice.Deploy.Tests.Rolling;

/// <summary>Customers of the bank, who send each other money through the service until they are stopped, and repeat nothing.</summary>
/// <param name="pods">The service's endpoints are those of them that are.</param>
internal sealed class Customers(Func<IReadOnlyList<SiloPod>> pods) : IAsyncDisposable
{
    public const int Accounts = 24;
    private const int Count = 4;
    private const decimal Money = 100;

    // Longer than a silo waits for an answer.
    private readonly HttpClient _http = new() { Timeout = TimeSpan.FromMinutes(3) };
    private readonly CancellationTokenSource _stop = new();
    private readonly List<string> _failures = [];
    private Task _working = Task.CompletedTask;
    private long _calls;
    private int _next;

    /// <summary>Calls that were answered as they should be.</summary>
    public long Calls => Interlocked.Read(ref _calls);

    /// <summary>Opens the accounts, and begins.</summary>
    public async Task BeginAsync()
    {
        for (var i = 0; i < Accounts; i++)
        {
            using var answer = await _http.PostAsJsonAsync(Uri($"/accounts/a{i}/deposits"), new { amount = Money });
            answer.EnsureSuccessStatusCode();
        }

        _working = Task.WhenAll(Enumerable.Range(0, Count).Select(customer => Task.Run(() => WorkAsync(new Random(customer)))));
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
        for (var i = 0; i < Accounts; i++) total += (await _http.GetFromJsonAsync<Account>(Uri($"/accounts/a{i}")))!.Balance;
        return total == Accounts * Money;
    }

    public async ValueTask DisposeAsync()
    {
        await StopAsync();
        _http.Dispose();
        _stop.Dispose();
    }

    private async Task WorkAsync(Random random)
    {
        while (!_stop.IsCancellationRequested)
        {
            var from = random.Next(Accounts);
            var failure = await CallAsync(new { from = $"a{from}", to = $"a{(from + 1 + random.Next(Accounts - 1)) % Accounts}", amount = random.Next(1, 50) });
            if (failure is null) Interlocked.Increment(ref _calls);
            else lock (_failures) _failures.Add(failure);
        }
    }

    // That there is not as much money is the bank's own answer, and no failure.
    private async Task<string?> CallAsync(object transfer)
    {
        try
        {
            using var answer = await _http.PostAsJsonAsync(Uri("/transfers"), transfer);
            return answer.StatusCode is HttpStatusCode.OK or HttpStatusCode.Conflict ? null : $"{answer.StatusCode}: {await answer.Content.ReadAsStringAsync()}";
        }
        catch (Exception exception) when (exception is HttpRequestException or InvalidOperationException or TaskCanceledException)
        {
            return exception.Message;
        }
    }

    private string Uri(string path)
    {
        var endpoints = pods().Where(pod => pod.IsEndpoint).ToList();
        if (endpoints.Count == 0) throw new InvalidOperationException("The service has no endpoint.");
        return $"http://127.0.0.1:{endpoints[(int)((uint)Interlocked.Increment(ref _next) % endpoints.Count)].HttpPort}{path}";
    }

    private sealed record Account(decimal Balance);
}
