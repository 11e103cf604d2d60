using System.Diagnostics;
using Orleans.Transactions;
using Polyjuice.Training.Orleans;
using PolyjuiceBank.Grains;

namespace PolyjuiceBank.Silo;

/// <summary>
/// Customers who pay a few shops, get money back, and ask what all shops and the bank have, one after the other, so
/// that there is something to learn.
/// </summary>
public sealed class Customers(IGrainFactory grains, IHostApplicationLifetime lifetime, ILogger<Customers> logger)
    : BackgroundService
{
    private const int Count = 32;
    private static readonly string[] s_shops = ["shop 0", "shop 1", "shop 2", "shop 3"];
    private static readonly TimeSpan s_reportInterval = TimeSpan.FromSeconds(10);

    private long _done;
    private long _failed;

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        await WhenStartedAsync(stoppingToken);
        await Task.WhenAll([ReportAsync(stoppingToken), .. Enumerable.Range(0, Count).Select(number =>
            BehaveAsync($"customer {number}", new Random(number), stoppingToken))]);
    }

    private async Task BehaveAsync(string customer, Random random, CancellationToken stoppingToken)
    {
        while (!stoppingToken.IsCancellationRequested)
        {
            try
            {
                await DoAsync(customer, random);
                Interlocked.Increment(ref _done);
            }
            catch (OrleansTransactionException) when (!stoppingToken.IsCancellationRequested)
            {
                // It was aborted more often than a transaction is tried, and has changed nothing.
                Interlocked.Increment(ref _failed);
            }
            catch (Exception) when (stoppingToken.IsCancellationRequested)
            {
                // The silo stops.
            }
        }
    }

    // Of ten calls, seven are payments, two give money back, and one asks.
    private Task DoAsync(string customer, Random random)
    {
        var (account, shop) = (grains.GetGrain<IAccountGrain>(customer), s_shops[random.Next(s_shops.Length)]);
        return random.Next(10) switch
        {
            < 7 => PayAsync(account, shop, random.Next(1, 100)),
            < 9 => grains.GetGrain<IAccountGrain>(shop).Refund(customer, random.Next(1, 100)),
            _ => grains.GetGrain<IAccountGrain>(AccountGrain.Bank).GetTotal(s_shops),
        };
    }

    private static async Task PayAsync(IAccountGrain account, string shop, decimal amount)
    {
        if (!await account.Pay(shop, amount)) await account.Deposit(100_000);
    }

    private async Task ReportAsync(CancellationToken stoppingToken)
    {
        using var timer = new PeriodicTimer(s_reportInterval);
        var (before, at) = (0L, Stopwatch.GetTimestamp());
        try
        {
            while (await timer.WaitForNextTickAsync(stoppingToken))
            {
                var (done, now) = (Volatile.Read(ref _done), Stopwatch.GetTimestamp());
                var rate = (done - before) / Stopwatch.GetElapsedTime(at, now).TotalSeconds;
                (before, at) = (done, now);
                var trainer = await grains.GetTrainer().GetReport();
                logger.LogInformation(
                    "{Rate:N0} calls a second, {Failed} failed so far. {Policy} The trainer: {Trainer}",
                    rate, Volatile.Read(ref _failed),
                    trainer.Published > 0 ? $"Release {trainer.Published} is published." : "No table is published yet.",
                    trainer.Problem ?? (trainer.IsTraining ? "searches." : trainer.Decision ?? "waits for traces."));
            }
        }
        catch (Exception) when (stoppingToken.IsCancellationRequested)
        {
            // The silo stops.
        }
    }

    private async Task WhenStartedAsync(CancellationToken stoppingToken)
    {
        var started = new TaskCompletionSource();
        await using var atStart = lifetime.ApplicationStarted.Register(started.SetResult);
        await started.Task.WaitAsync(stoppingToken);
    }
}
