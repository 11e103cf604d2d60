using Polyjuice.Embedded.Core;
using Polyjuice.Embedded.Simulated;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Faults;

namespace Polyjuice.Embedded;

public sealed partial class SimulatedEmbeddedCluster
{
    /// <summary>
    /// Runs a client's code, and everything else, until the client's task has ended. The code runs on the client's turn: it calls
    /// grains through <see cref="Client"/>, and may have many calls under way at once.
    /// </summary>
    /// <exception cref="SimulationFailedException">
    /// <c>escaped</c>: code has left the simulation's thread. <c>stuck</c>: code waits for what can't come. <c>endless</c>: the task
    /// has not ended within <see cref="SimulationOptions.RunMax"/>. <c>livelock</c>: time does not pass any more. <c>exception</c>:
    /// the engine or the host has failed, or grain code threw where nobody awaits.
    /// </exception>
    public void Run(Func<Task> client) => Run(async () =>
    {
        await client();
        return true;
    });

    /// <inheritdoc cref="Run(Func{Task})"/>
    /// <typeparam name="TResult">What the client's code returns.</typeparam>
    public TResult Run<TResult>(Func<Task<TResult>> client)
    {
        ArgumentNullException.ThrowIfNull(client);
        TResult result = default!;
        Drive(() =>
        {
            var task = _world.ClientLoop.RunAsync(client);
            Drive(task);
            result = task.GetAwaiter().GetResult();
        });
        return result;
    }

    /// <summary>The exception for an invariant of your own that this run broke: it says where and when, as those of the cluster do.</summary>
    /// <param name="kind">Which invariant, in a word.</param>
    /// <param name="message">What was seen.</param>
    /// <param name="inner">What it was found by.</param>
    public SimulationFailedException Failure(string kind, string message, Exception? inner = null) =>
        new(kind, $"{message} (seed {_world.Options.Seed}, {_world.Events.EventsRun} events, {_world.Events.Now} µs)", inner)
        {
            FaultsInjected = _world.Faults.Total,
            Trace = _world.Trace,
        };

    /// <summary>Lets so much virtual time pass.</summary>
    public void RunFor(TimeSpan time)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(time, TimeSpan.Zero);
        var end = _world.Events.Now + Durations.Microseconds(time);
        var isOver = false;
        Drive(() =>
        {
            _world.Events.Queue(end - _world.Events.Now, EventKind.Client, 0, () => isOver = true, background: true);
            while (!isOver) _world.Step();
        });
    }

    /// <summary>Runs until everything has come to rest: no call, no transaction, no message and no append is
    /// under way, every partition is served, and every node knows where and who is dead.</summary>
    /// <exception cref="SimulationFailedException"><c>endless</c>: that takes more than <see cref="SimulationOptions.RunMax"/>.</exception>
    public void Settle() => Drive(() =>
        Await(() => _world.Events.IsIdle && _membership.IsBalanced, _world.Options.RunMax, "the cluster does not come to rest"));

    /// <summary>From now on things go wrong as often as told.</summary>
    public void StartFaults(SimulatedFaults faults)
    {
        ArgumentNullException.ThrowIfNull(faults);
        OptionsCheck.Ranges(faults);
        _world.TraceLine(() => "---- faults start");
        _injector.Start(faults);
    }

    /// <summary>One fault of that kind strikes within the next events; of a kind that concerns nodes, and while faults are on.</summary>
    public void Strike(FaultKinds kind) => _injector.Plan(kind);

    /// <summary>Nothing goes wrong any more: what is cut heals, dead silos come back. Clocks stay as they are.</summary>
    public void StopFaults()
    {
        _world.TraceLine(() => "---- faults stop");
        _injector.Stop();
    }

    /// <summary>Kills all silos at once and starts new ones, which know what the logs say and nothing else.</summary>
    public void RestartAll() => Drive(() =>
    {
        _world.TraceLine(() => "---- every silo dies");
        var old = Silos.Select(silo => silo.Node).OfType<Silo>().ToArray();
        foreach (var silo in Silos) silo.Kill();
        foreach (var silo in Silos) StartNode(silo);
        foreach (var node in old) _membership.DeclareDead(node);
        _membership.Rebalance();
        Await(() => _membership.IsBalanced, _world.Options.RunMax, "the partitions are not served after every silo has died");
    });

    private void Drive(Action action)
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        try
        {
            _world.Guard.Run(action);
        }
        catch (SimulationFailedException failure)
        {
            throw Failure(failure.Kind, failure.Message[(failure.Kind.Length + 2)..], failure);
        }
    }

    private void Drive(Task task)
    {
        var deadline = _world.Events.Now + _world.Options.RunMax;
        var nextLook = 0L;
        while (!task.IsCompleted)
        {
            if (_world.IsStill && _world.Events.Now >= nextLook)
            {
                nextLook = _world.Events.Now + Stillness.Period;
                if (Stillness.Find(_world, _runtime.Client) is { } stuck)
                    throw new SimulationFailedException("stuck", $"Nothing is about to happen, and the client's task has not ended: {stuck}. {ThreadGuard.Advice}");
            }

            if (_world.Events.Now > deadline)
                throw new SimulationFailedException("endless", $"The client's task has not ended within SimulationOptions.RunMax ({_world.Options.RunMax} µs): {Stillness.Describe(_world)}.");
            _world.Step();
        }

        _world.ThrowIfFailed();
    }

    private void Await(Func<bool> condition, long microsecondsMax, string otherwise)
    {
        var deadline = _world.Events.Now + microsecondsMax;
        while (!condition())
        {
            if (_world.Events.Now > deadline) throw new SimulationFailedException("endless", $"{otherwise} ({microsecondsMax} µs waited): {_membership.Describe()}; {Stillness.Describe(_world)}.");
            _world.Step();
        }
    }
}
