using Microsoft.Extensions.Logging.Abstractions;
using Orleans.Configuration;

namespace Polyjuice.Storage.PostgreSql.Tests;

[RequiresPostgreSql]
[Collection(PostgreSqlFixture.Name)]
public sealed class LockTests(PostgreSqlFixture postgres)
{
    private static readonly TimeSpan s_renewal = TimeSpan.FromSeconds(10);
    private readonly SteppedTime _time = new();
    private readonly PostgreSqlLogOptions _options = postgres.NewOptions();

    [ConditionalFact]
    public async Task A_lock_is_renewed_as_long_as_it_is_held_and_given_back_at_the_end()
    {
        await using var device = await Open();
        var taken = await device.LockAsync("the test", default);
        for (var i = 0; i < 3; i++)
        {
            await RunAsync("UPDATE {0}.polyjuice_leases SET ends = clock_timestamp() + interval '1 s'");
            await StepUntilAsync(
                () => IsAsync("SELECT ends > clock_timestamp() + interval '20 s' FROM {0}.polyjuice_leases"));
        }

        Assert.False(taken.Lost.IsCancellationRequested);
        await taken.DisposeAsync();
        await taken.DisposeAsync();
        Assert.False(taken.Lost.IsCancellationRequested);
        await using var again = await device.LockAsync("the next", default);
    }

    [ConditionalFact]
    public async Task A_lock_that_has_ended_goes_to_who_asks_next_and_its_holder_has_lost_it()
    {
        await using var device = await Open();
        await using var taken = await device.LockAsync("the test", default);
        await RunAsync("UPDATE {0}.polyjuice_leases SET ends = clock_timestamp() - interval '1 s'");
        await using var other = await Open();
        await using var next = await other.LockAsync("the next", default);
        await StepUntilAsync(() => Task.FromResult(taken.Lost.IsCancellationRequested));
        Assert.False(next.Lost.IsCancellationRequested);

        // What the loser gives back is not the next one's.
        await taken.DisposeAsync();
        var refused = await Assert.ThrowsAsync<LogDeviceLockedException>(
            async () => await device.LockAsync("the late one", default));
        Assert.Contains("set Lock to false", refused.Message, StringComparison.Ordinal);
        Assert.Contains("the next", refused.Message, StringComparison.Ordinal);
    }

    [ConditionalFact]
    public async Task A_lock_that_can_not_be_renewed_is_lost_before_anybody_else_can_have_it()
    {
        await using var device = await Open();
        await using var taken = await device.LockAsync("the test", default);
        await RunAsync("ALTER TABLE {0}.polyjuice_leases RENAME TO away");
        await StepUntilAsync(() => Task.FromResult(taken.Lost.IsCancellationRequested));
        Assert.InRange(
            _time.GetUtcNow() - DateTimeOffset.UnixEpoch, _options.LeaseDuration / 2, _options.LeaseDuration);
    }

    [ConditionalFact]
    public async Task A_store_whose_lock_another_has_writes_nothing_even_if_it_has_not_heard_of_it()
    {
        await using var store = await PostgreSqlLogStore.OpenAsync(_options, _time, NullLogger.Instance, default);
        await store.Open(0).Fill(3);
        await RunAsync("UPDATE {0}.polyjuice_leases SET ends = clock_timestamp() - interval '1 s'");
        await using var next = await PostgreSqlLogStore.OpenAsync(_options, NullLogger.Instance, default);
        Assert.NotEqual(store.Identity, next.Identity);
        Assert.Equal(AppendResult.Appended, await next.Open(0).Append(3, 77, 7));
        Assert.Equal(AppendResult.Conflict, await store.Open(0).Append(3, 66, 6));

        // When it has, it says so.
        LogUnusableException? lost = null;
        await StepUntilAsync(async () =>
        {
            lost = await Record.ExceptionAsync(() => store.Open(0).Append(4, 67, 6)) as LogUnusableException;
            return lost is not null;
        });
        Assert.Contains("lock", lost!.Message, StringComparison.Ordinal);
        Assert.Equal([7], (await next.Open(0).Read(3, 4)).Single());
    }

    [ConditionalFact]
    public async Task A_start_waits_for_the_lock_of_one_that_is_just_ending_or_says_in_the_end_who_has_it()
    {
        _options.Holder = "die erste Zelle, größer als ASCII";
        var first = await PostgreSqlLogStore.OpenAsync(_options, NullLogger.Instance, default);
        _options.LockWait = TimeSpan.FromSeconds(3);
        var inVain = PostgreSqlLogStore.OpenAsync(_options, _time, NullLogger.Instance, default);
        await StepUntilAsync(() => Task.FromResult(inVain.IsCompleted));
        var refused = await Assert.ThrowsAsync<LogDeviceLockedException>(() => inVain);
        Assert.Contains(_options.Holder, refused.Message, StringComparison.Ordinal);
        Assert.Equal(TimeSpan.FromSeconds(3), _time.GetUtcNow() - DateTimeOffset.UnixEpoch);

        _options.LockWait = TimeSpan.FromMinutes(10);
        var second = PostgreSqlLogStore.OpenAsync(_options, _time, NullLogger.Instance, default);
        await _time.StepAsync(s_renewal);
        Assert.False(second.IsCompleted);
        await first.DisposeAsync();
        await StepUntilAsync(() => Task.FromResult(second.IsCompleted));
        await (await second).DisposeAsync();
    }

    private Task<PostgreSqlLogDevice> Open() => PostgreSqlDevices.OpenAsync(_options, new() { Time = _time });

    private Task<object?> RunAsync(string sql) =>
        postgres.RunAsync(string.Format(System.Globalization.CultureInfo.InvariantCulture, sql, _options.Schema));

    private async Task<bool> IsAsync(string sql) => await RunAsync(sql) is true;

    /// <summary>Moves the clock, as often as somebody waits for it, until something is so.</summary>
    private async Task StepUntilAsync(Func<Task<bool>> isSo)
    {
        while (!await isSo())
        {
            var step = _time.StepAsync(s_renewal);
            while (!step.IsCompleted && !await isSo()) await Task.Yield();
        }
    }
}
