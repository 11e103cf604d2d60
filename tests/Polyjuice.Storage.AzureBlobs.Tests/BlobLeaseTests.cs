using Azure.Storage.Blobs.Specialized;
using Orleans.Configuration;

namespace Polyjuice.Storage.AzureBlobs.Tests;

[RequiresAzurite]
[Collection(AzuriteFixture.Name)]
public sealed class BlobLeaseTests(AzuriteFixture azurite)
{
    private static readonly TimeSpan s_renewal = TimeSpan.FromSeconds(10);
    private readonly FaultyTransport _way = new();
    private readonly SteppedTime _time = new();

    [ConditionalFact]
    public async Task A_lock_is_renewed_as_long_as_it_is_held_and_given_back_at_the_end()
    {
        var device = await Open();
        var taken = await device.LockAsync("the test", default);
        for (var i = 1; i <= 5; i++)
        {
            var renewed = Happens(FaultyTransport.IsRenewal);
            await Step(until: renewed);
            await renewed;
        }

        Assert.False(taken.Lost.IsCancellationRequested);
        await taken.DisposeAsync();
        await taken.DisposeAsync();
        Assert.False(taken.Lost.IsCancellationRequested);
        await using var again = await device.LockAsync("the next", default);
    }

    [ConditionalFact]
    public async Task A_lock_that_was_broken_from_outside_is_lost()
    {
        var device = await Open(out var options);
        await using var taken = await device.LockAsync("the test", default);
        await BlobClients.Container(options).GetBlobClient(AzureBlobLogDevice.LockName).GetBlobLeaseClient()
            .BreakAsync(TimeSpan.Zero);
        await Step(until: Lost(taken));
        await using var next = await device.LockAsync("the next", default);
        Assert.False(next.Lost.IsCancellationRequested);
    }

    [ConditionalFact]
    public async Task A_lock_whose_blob_was_deleted_is_lost()
    {
        var device = await Open(out var options);
        await using var taken = await device.LockAsync("the test", default);
        await BlobClients.Container(options).DeleteAsync();
        await Step(until: Lost(taken));
    }

    [ConditionalFact]
    public async Task A_lock_that_can_not_be_renewed_is_lost_before_anybody_else_can_have_it()
    {
        var device = await Open(out var options);
        await using var taken = await device.LockAsync("the test", default);
        for (var i = 0; i < 200; i++) _way.LoseNext(FaultyTransport.IsRenewal);
        var lost = Lost(taken);
        await Step(until: lost);
        Assert.InRange(_time.GetUtcNow() - DateTimeOffset.UnixEpoch, options.LeaseDuration / 2, options.LeaseDuration);
    }

    [ConditionalFact]
    public async Task A_failed_renewal_is_repeated_in_time()
    {
        var device = await Open();
        await using var taken = await device.LockAsync("the test", default);
        _way.LoseNext(FaultyTransport.IsRenewal);
        _way.LoseNext(FaultyTransport.IsRenewal);
        var seen = Happens(request => FaultyTransport.IsRenewal(request));
        await Step(until: seen);
        await seen;
        Assert.False(taken.Lost.IsCancellationRequested);
    }

    [ConditionalFact]
    public async Task A_store_stops_writing_when_its_lock_is_lost_and_a_new_one_goes_on()
    {
        var options = azurite.NewOptions(client => client.Transport = _way);
        await using var store = await AzureBlobLogStore.OpenAsync(
            options, _time, Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance, default);
        await store.Open(0).Fill(3);
        await BlobClients.Container(options).GetBlobClient(AzureBlobLogDevice.LockName).GetBlobLeaseClient()
            .BreakAsync(TimeSpan.Zero);
        var asked = Happens(FaultyTransport.IsRenewal);
        await Step(until: asked);
        await asked;
        await using var next = await AzureBlobLogStore.OpenAsync(
            options, Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance, default);

        // Whether it has heard of its loss already or not, nothing of it gets in.
        Assert.Equal(AppendResult.Appended, await next.Open(0).Append(3, 77, 7));
        try
        {
            Assert.Equal(AppendResult.Conflict, await store.Open(0).Append(3, 66, 6));
        }
        catch (LogUnusableException exception)
        {
            Assert.Contains("lock", exception.Message, StringComparison.Ordinal);
        }

        Assert.Equal([7], (await next.Open(0).Read(3, 4)).Single());
    }

    [ConditionalFact]
    public async Task A_start_waits_for_the_lock_of_one_that_is_just_ending()
    {
        var options = azurite.NewOptions();
        var first = await AzureBlobLogStore.OpenAsync(
            options, Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance, default);
        options.LockWait = TimeSpan.FromMinutes(10);
        var second = AzureBlobLogStore.OpenAsync(
            options, _time, Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance, default);
        await _time.StepAsync(s_renewal);
        Assert.False(second.IsCompleted);
        await first.DisposeAsync();
        await Step(until: second);
        await (await second).DisposeAsync();
    }

    [ConditionalFact]
    public async Task A_start_that_waited_in_vain_says_who_has_the_lock()
    {
        var options = azurite.NewOptions();
        options.Holder = "die erste Zelle, größer als ASCII";
        await using var first = await AzureBlobLogStore.OpenAsync(
            options, Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance, default);
        options.LockWait = TimeSpan.FromSeconds(3);
        var second = AzureBlobLogStore.OpenAsync(
            options, _time, Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance, default);
        await Step(until: second.ContinueWith(_ => { }, TaskScheduler.Default));
        var refused = await Assert.ThrowsAsync<LogDeviceLockedException>(() => second);
        Assert.Contains("set Lock to false", refused.Message, StringComparison.Ordinal);
        Assert.Contains(options.Holder, refused.Message, StringComparison.Ordinal);
        Assert.Equal(TimeSpan.FromSeconds(3), _time.GetUtcNow() - DateTimeOffset.UnixEpoch);
    }

    private Task<AzureBlobLogDevice> Open() => Open(out _);

    private Task<AzureBlobLogDevice> Open(out AzureBlobLogOptions options)
    {
        options = azurite.NewOptions(client => client.Transport = _way);
        options.RetriesMax = 0;
        return azurite.OpenAsync(options, new() { Time = _time });
    }

    private Task Happens(Func<Azure.Core.Request, bool> kind)
    {
        var happened = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _way.Next(kind, async (_, send) =>
        {
            await send();
            happened.SetResult();
        });
        return happened.Task;
    }

    private static Task Lost(ILogDeviceLock taken)
    {
        var lost = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        taken.Lost.Register(lost.SetResult);
        return lost.Task;
    }

    // Moves the clock as often as somebody waits for it.
    private async Task Step(Task until)
    {
        while (!until.IsCompleted)
        {
            if (await Task.WhenAny(until, _time.StepAsync(s_renewal)) == until) return;
        }
    }
}
