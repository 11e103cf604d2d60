using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Runtime;
using Orleans.Runtime.Messaging;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Calls;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests.Calls;

/// <summary>Which calls that start a transaction are made again: those of which nothing can have committed.</summary>
public sealed class RootCallTests : IAsyncLifetime
{
    private const string StoppingSilo = nameof(StoppingSilo);

    private readonly Trouble _trouble = new();
    private global::Orleans.TestingHost.InProcessTestCluster? _cluster;

    public static TheoryData<string, bool> Troubles => new()
    {
        { nameof(OrleansMessageRejectionException), true },
        { nameof(SiloUnavailableException), false },
        { StoppingSilo, true },
        { nameof(TimeoutException), false },
        { nameof(AbortReason.OwnerChanged), true },
        { nameof(AbortReason.WrongOwner), true },
        { nameof(AbortReason.Shutdown), true },
        { nameof(AbortReason.Timeout), false },
    };

    public async Task InitializeAsync() =>
        _cluster = await PolyjuiceCluster.StartAsync(
            1, silo => silo.AddIncomingGrainCallFilter(_trouble), client => client.UsePolyjuice());

    public async Task DisposeAsync() => await _cluster!.DisposeAsync();

    [Theory]
    [MemberData(nameof(Troubles))]
    public async Task A_call_is_made_again_if_nothing_of_it_can_have_committed(string trouble, bool isRepeated)
    {
        var account = _cluster!.Client.GetGrain<IAccount>(1);
        _trouble.Next(Make(trouble));

        var exception = await Record.ExceptionAsync(() => account.Deposit(5));

        Assert.Equal(isRepeated ? null : Make(trouble).GetType(), exception?.GetType());
        Assert.Equal(isRepeated ? 2 : 1, _trouble.Calls);
        Assert.Equal(isRepeated ? 5 : 0, await account.GetBalance());
    }

    // It has no codec, so it reaches a caller only within its own
    // process; there the silo's filter stands for the connection.
    [Theory]
    [InlineData(nameof(ConnectionFailedException), true)]
    [InlineData(nameof(GatewayTooBusyException), false)]
    public async Task A_call_is_made_again_for_which_its_own_process_had_no_connection(string trouble, bool isRepeated)
    {
        var account = _cluster!.GetSiloServiceProvider().GetRequiredService<IGrainFactory>().GetGrain<IAccount>(1);
        _trouble.Next(Make(trouble));

        var exception = await Record.ExceptionAsync(() => account.Deposit(5));

        Assert.Equal(isRepeated ? null : Make(trouble).GetType(), exception?.GetType());
        Assert.Equal(isRepeated ? 2 : 1, _trouble.Calls);
        Assert.Equal(isRepeated ? 5 : 0, await account.GetBalance());
    }

    // As when a silo has ended and the others do not know it yet: Orleans
    // rejects what is sent there, at once, and does not look again for a second.
    [Fact]
    public async Task A_silo_that_can_not_be_reached_for_a_moment_fails_no_call()
    {
        _trouble.RejectFor(TimeSpan.FromSeconds(1));

        await _cluster!.Client.GetGrain<IAccount>(1).Deposit(5);

        Assert.Equal(5, await _cluster.Client.GetGrain<IAccount>(1).GetBalance());
        Assert.InRange(_trouble.Calls, 2, 5);
    }

    [Fact]
    public async Task It_is_given_up_in_the_end()
    {
        _trouble.Next([.. Enumerable.Range(0, 20).Select(_ => Make(nameof(AbortReason.OwnerChanged)))]);

        var exception = await Record.ExceptionAsync(() => _cluster!.Client.GetGrain<IAccount>(1).Deposit(5));

        Assert.Equal(AbortReason.OwnerChanged, Assert.IsType<TransactionConflictException>(exception).Reason);
        Assert.Equal(5, _trouble.Calls);
    }

    [Fact]
    public async Task A_call_that_is_made_again_says_since_when_it_is_wanted()
    {
        _trouble.Next(Make(nameof(AbortReason.OwnerChanged)), Make(nameof(OrleansMessageRejectionException)));
        var before = CallAge.Now;

        await _cluster!.Client.GetGrain<IAccount>(1).Deposit(5);

        Assert.Equal(3, _trouble.Ages.Count);
        Assert.Null(_trouble.Ages[0]);
        Assert.InRange(Assert.IsType<long>(_trouble.Ages[1]), before, CallAge.Now - 1_000);
        Assert.Equal(_trouble.Ages[1], _trouble.Ages[2]);
        Assert.Null(RequestContext.Get(CallAge.Key));
    }

    [Fact]
    public async Task A_call_that_is_made_again_ends_in_the_time_that_its_caller_has_for_one()
    {
        var timeout = TimeSpan.FromSeconds(8);
        await using var cluster = await PolyjuiceCluster.StartAsync(
            1,
            silo => silo.AddIncomingGrainCallFilter(_trouble),
            client => client.UsePolyjuice()
                .Configure<ClientMessagingOptions>(messaging => messaging.ResponseTimeout = timeout));
        _trouble.Next(Make(nameof(AbortReason.OwnerChanged)));
        _trouble.AnswerAfter(TimeSpan.FromSeconds(4), Timeout.InfiniteTimeSpan);
        var began = Stopwatch.GetTimestamp();

        await Assert.ThrowsAsync<TimeoutException>(() => cluster.Client.GetGrain<IAccount>(2).Deposit(5));
        var ended = Stopwatch.GetTimestamp();

        // Orleans looks once a second for calls whose time is over: this one has three more until a time of its own is.
        Assert.Equal(2, _trouble.Calls);
        Assert.True(Stopwatch.GetElapsedTime(began, ended) >= timeout);
        Assert.InRange(Stopwatch.GetElapsedTime(_trouble.AnsweredAt, ended), TimeSpan.Zero, timeout);
        _trouble.GiveUp();
    }

    private static Exception Make(string trouble) => trouble switch
    {
        nameof(OrleansMessageRejectionException) => Made.Rejection("Silo stopping"),
        nameof(ConnectionFailedException) => new ConnectionFailedException("No gateway."),
        nameof(GatewayTooBusyException) => new GatewayTooBusyException(),
        nameof(SiloUnavailableException) => new SiloUnavailableException("It has died."),
        StoppingSilo => new SiloUnavailableException("Silo 'S127.0.0.1:11111:1' is shutting down."),
        nameof(TimeoutException) => new TimeoutException("No answer."),
        _ => new TransactionConflictException(
            "1", new AbortInfo(Enum.Parse<AbortReason>(trouble), "IAccount.Deposit"), null),
    };

    // What a call meets before anything of it runs.
    private sealed class Trouble : IIncomingGrainCallFilter
    {
        private readonly Queue<Exception> _next = [];

        private readonly Queue<TimeSpan> _times = [];

        private readonly CancellationTokenSource _givenUp = new();

        private long? _rejectsSince;

        private TimeSpan? _rejectsFor;

        public int Calls { get; private set; }

        /// <summary>When the last call was answered that takes its time, by <see cref="Stopwatch"/>.</summary>
        public long AnsweredAt { get; private set; }

        /// <summary>What each call said of its age.</summary>
        public List<object?> Ages { get; } = [];

        /// <summary>From the next call on, for so long.</summary>
        public void RejectFor(TimeSpan time)
        {
            Calls = 0;
            (_rejectsSince, _rejectsFor) = (null, time);
        }

        public void Next(params Exception[] exceptions)
        {
            Calls = 0;
            foreach (var exception in exceptions) _next.Enqueue(exception);
        }

        /// <summary>How long the next calls take, before anything else comes to them.</summary>
        public void AnswerAfter(params TimeSpan[] times)
        {
            foreach (var time in times) _times.Enqueue(time);
        }

        /// <summary>Ends calls that take for ever.</summary>
        public void GiveUp() => _givenUp.Cancel();

        public async Task Invoke(IIncomingGrainCallContext context)
        {
            var isDeposit = context.MethodName == nameof(IAccount.Deposit);
            if (isDeposit && _times.TryDequeue(out var time))
            {
                Calls++;
                await Task.Delay(time, _givenUp.Token);
                AnsweredAt = Stopwatch.GetTimestamp();
                Calls--;
            }

            await (isDeposit ? MeetAsync(context) : context.Invoke());
        }

        private Task MeetAsync(IIncomingGrainCallContext context)
        {
            Calls++;
            Ages.Add(RequestContext.Get(CallAge.Key));
            if (_rejectsFor is { } time
                && (_rejectsSince is null || Stopwatch.GetElapsedTime(_rejectsSince.Value) < time))
            {
                _rejectsSince ??= Stopwatch.GetTimestamp();
                return Task.FromException(Make(nameof(OrleansMessageRejectionException)));
            }

            return _next.TryDequeue(out var exception) ? Task.FromException(exception) : context.Invoke();
        }
    }
}
