using Polyjuice.Publishing;
using Xunit;

namespace Polyjuice.Tests.Shared;

/// <summary>What every place for published policies has to do.</summary>
public abstract class PolicyEntriesContract : IAsyncLifetime
{
    private static readonly byte[] _one = "one"u8.ToArray();

    /// <summary>What is tested, empty.</summary>
    private protected IPolicyEntries Entries { get; private set; } = null!;

    public async Task InitializeAsync() => Entries = await OpenAsync();

    public async Task DisposeAsync() => await CleanUpAsync();

    [ConditionalFact]
    public async Task There_is_nothing_at_first()
    {
        Assert.Equal(0, await Entries.GetLastAsync(default));
        Assert.Null(await Entries.ReadAsync(1, default));
    }

    [ConditionalFact]
    public async Task What_was_made_is_read_back()
    {
        Assert.True(await Entries.CreateAsync(1, _one, default));

        Assert.Equal(1, await Entries.GetLastAsync(default));
        Assert.Equal(_one, await Entries.ReadAsync(1, default));
        Assert.Equal(_one, await Another().ReadAsync(1, default));
    }

    [ConditionalFact]
    public async Task A_number_that_is_taken_stays_as_it_is()
    {
        await Entries.CreateAsync(1, _one, default);

        Assert.False(await Another().CreateAsync(1, "two"u8.ToArray(), default));

        Assert.Equal(_one, await Entries.ReadAsync(1, default));
    }

    [ConditionalFact]
    public async Task Of_many_that_want_a_number_one_gets_it_and_it_is_the_one_that_is_read()
    {
        for (var number = 1; number <= 20; number++)
        {
            var contents = Enumerable.Range(0, 8).Select(racer => Enumerable.Repeat((byte)racer, 10_000).ToArray())
                .ToList();
            using var start = new Barrier(contents.Count);
            var taken = number;
            var made = await Task.WhenAll(contents.Select(content => Task.Factory.StartNew(
                async () =>
                {
                    var entries = Another();
                    start.SignalAndWait();
                    return await entries.CreateAsync(taken, content, default);
                },
                TaskCreationOptions.LongRunning).Unwrap()));

            var winner = Assert.Single(contents.Where((_, racer) => made[racer]));
            Assert.Equal(winner, await Entries.ReadAsync(number, default));
        }

        Assert.Equal(20, await Entries.GetLastAsync(default));
    }

    [ConditionalFact]
    public async Task The_highest_number_counts_even_if_others_are_missing()
    {
        await Entries.CreateAsync(1, _one, default);
        await Entries.CreateAsync(12, _one, default);

        Assert.Equal(12, await Entries.GetLastAsync(default));
        Assert.Null(await Entries.ReadAsync(2, default));
    }

    [ConditionalFact]
    public async Task What_is_cancelled_before_it_begins_makes_nothing()
    {
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            async () => await Entries.CreateAsync(1, _one, new CancellationToken(canceled: true)));

        Assert.Equal(0, await Entries.GetLastAsync(default));
    }

    /// <summary>An empty place.</summary>
    private protected abstract ValueTask<IPolicyEntries> OpenAsync();

    /// <summary>The same place, as another process sees it.</summary>
    private protected abstract IPolicyEntries Another();

    /// <summary>Removes it.</summary>
    protected virtual ValueTask CleanUpAsync() => ValueTask.CompletedTask;
}
