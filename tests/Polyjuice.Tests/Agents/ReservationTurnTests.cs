using Polyjuice.Agents;
using Polyjuice.Policies;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;

namespace Polyjuice.Tests.Agents;

/// <summary>Reservations of grains that are not reentrant: a call that waits inside keeps all others out.</summary>
public sealed class ReservationTurnTests
{
    private const int ClientsOfEach = 8;
    private const int Each = 10;
    private const int Vaults = 3;

    private readonly EngineRig _rig = new(BuiltinPolicies.Get("reserve"));
    private readonly Vault[] _vaults;

    public ReservationTurnTests() =>
        _vaults = [.. Enumerable.Range(0, Vaults).Select(account => new Vault(_rig, account))];

    [Fact]
    public void A_call_without_a_reservation_does_not_keep_the_turn_of_its_grain_from_whom_has_one()
    {
        var began = _rig.Cluster.Loop.Now;
        var scouts = Clients(number => _rig.StartReconnoitred("Move", async frame =>
        {
            await _vaults[number % Vaults].PutAsync(frame, -1);
            await _vaults[(number + 1) % Vaults].PutAsync(frame, 1);
        }));
        var outsiders = Clients(number => _rig.StartReconnoitred(
            "Put", frame => _vaults[number % Vaults].PutAsync(frame, 1), allows: false));
        Task all = Task.CompletedTask;
        _rig.Node.Turn(() => all = Task.WhenAll(scouts.Concat(outsiders).ToArray()));
        _rig.End(all);
        var ended = _rig.Cluster.Loop.Now;

        Assert.True(all.IsCompletedSuccessfully, $"{all.Exception}");
        var coins = Enumerable.Range(0, Vaults).Sum(account => _rig.Read(account).Balance);
        Assert.Equal((Vaults * 100) + (ClientsOfEach * Each), coins);
        Assert.Equal(ClientsOfEach * Each, _rig.Statistics.Reservations);
        Assert.Equal((0, 0), (_rig.Statistics.WaitsEndedByDeadline, _rig.Statistics.ReservationTimeouts));

        // A turn that is kept from whom it waits for would cost a reservation's time-out at least.
        Assert.InRange(ended - began, 0, _rig.Cluster.Shape.Options.ReservationTimeoutMicroseconds);
    }

    private static IEnumerable<Task> Clients(Func<int, Task> start)
    {
        return Enumerable.Range(0, ClientsOfEach).Select(RunAsync);

        async Task RunAsync(int client)
        {
            for (var i = 0; i < Each; i++) await start(client + i);
        }
    }

    /// <summary>A grain with a turn, which is passed on in the order of the calls.</summary>
    private sealed class Vault(EngineRig rig, int account)
    {
        private readonly TransactionalStateCore<Account> _coins =
            rig.Node.Engine.CreateState(rig.Cluster.Accounts.KeyOf(account), rig.Cluster.Codec, keepsTurn: true);
        private Task _last = Task.CompletedTask;
        private long _token;

        public async Task PutAsync(CallFrame frame, long coins)
        {
            var turn = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            var before = _last;
            _last = turn.Task;
            await before;
            try
            {
                await _coins.UpdateAsync(frame, state =>
                {
                    state.Balance += coins;
                    state.Tokens.Add(++_token);
                    return state.Balance;
                });
            }
            finally
            {
                turn.SetResult();
            }
        }
    }
}
