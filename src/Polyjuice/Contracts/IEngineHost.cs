namespace Polyjuice.Contracts;

/// <summary>
/// Everything that the engine asks of the process it lives in. One engine is driven by one host.
/// </summary>
/// <remarks>
/// <para>The engine is a single-threaded state machine. The host calls it on one logical thread (its <em>turn</em>): no
/// two calls overlap, and a <see cref="System.Threading.SynchronizationContext"/> that returns to the turn is current
/// while the engine or a transaction's body runs, because both await.</para>
/// <para>Determinism: given the same sequence of calls, times and random numbers, an engine does the same. A simulator
/// is a host that makes those up from a seed.</para>
/// </remarks>
internal interface IEngineHost
{
    /// <summary>
    /// This node's wall clock in microseconds since the Unix epoch, as
    /// of some moment in the present turn. May jump; the engine copes.
    /// </summary>
    long UtcMicroseconds { get; }

    /// <summary>
    /// The same, as the host has read it last, for what needs no better:
    /// it must cost nothing. It may lag behind by a batch of turns.
    /// </summary>
    long RecentMicroseconds => UtcMicroseconds;

    /// <summary>
    /// How long this node's turns have taken in all, as of some moment lately; for traces, which say what accesses cost
    /// by it. 0, and so by default, if the host does not measure it.
    /// </summary>
    long BusyMicroseconds => 0;

    /// <summary>The next number of this node's random source; all 64 bits are random.</summary>
    ulong NextRandom();

    /// <summary>
    /// Sends a batch of engine messages, one-way. It may be lost, duplicated, delayed or reordered; it must arrive
    /// whole or not at all, and only at the incarnation that it names. The host copies the bytes before it returns.
    /// </summary>
    /// <param name="destination">Who shall <see cref="Engine.TransactionEngine.Receive"/> it.</param>
    /// <param name="batch">Opaque bytes; valid until this call returns.</param>
    void Send(NodeId destination, ReadOnlySpan<byte> batch);

    /// <summary>Runs <paramref name="callback"/> on the engine's turn, no sooner than after the delay.</summary>
    /// <param name="delayMicroseconds">At least 0.</param>
    /// <param name="callback">What to run.</param>
    void Schedule(long delayMicroseconds, Action callback);

    /// <summary>
    /// The same for what the engine repeats while anything of it is unfinished. A host that tells from its pending
    /// events whether anything can still happen need not count these:
    /// alone they move nothing on that waits for something else.
    /// </summary>
    /// <param name="delayMicroseconds">At least 0.</param>
    /// <param name="callback">What to run.</param>
    void ScheduleHousekeeping(long delayMicroseconds, Action callback) => Schedule(delayMicroseconds, callback);

    /// <summary>
    /// Asks the host to call <see cref="Engine.TransactionEngine.Flush"/> once, on a turn, after the work that is ready
    /// to run now and before it idles. What accumulates until then shares one message per node and one append per log:
    /// that is where batching comes from.
    /// </summary>
    void RequestFlush();

    /// <summary>
    /// Runs work that may take long: reading a log, making a checkpoint. It uses nothing of the engine, so it may run
    /// on any thread; a host whose turns must be short runs it on another. Whoever awaits the task continues on the
    /// turn.
    /// </summary>
    /// <param name="work">What to run.</param>
    Task RunInBackground(Func<Task> work) => work();

    /// <summary>
    /// The same for what is short and comes often, and is no reason for anybody to wait: the writing of traces.
    /// </summary>
    /// <param name="work">What to run.</param>
    Task RunBeside(Func<Task> work) => RunInBackground(work);

    /// <summary>
    /// Makes what holds back one piece of background work, so that it leaves processors to transactions: the work calls
    /// it every few hundred KiB and awaits the result, on whatever thread it is. A host may take the time of the work
    /// in between as the measure. <see langword="null"/>, and so by default: nothing holds it back.
    /// </summary>
    Func<CancellationToken, ValueTask>? CreatePace() => null;

    /// <summary>
    /// The making of a checkpoint begins, or ends, to run on the turn itself, which a host may want to measure.
    /// </summary>
    /// <param name="begins">Whether it begins.</param>
    void NoteCheckpoint(bool begins)
    {
    }

    /// <summary>
    /// Whether a node that a log names is known never to act again, although this engine may not have been told by
    /// <see cref="Engine.TransactionEngine.NodeDead"/>: one of an earlier process, say. <see langword="false"/> is
    /// always safe, and leaves what depends on that node unresolved until the engine is told.
    /// </summary>
    /// <param name="node">Which.</param>
    bool IsGone(NodeId node) => false;

    /// <summary>
    /// Which group each grain belongs to, which decides its log partition. By default each is its own.
    /// </summary>
    GrainGroups Groups => GrainGroups.Own;

    /// <summary>
    /// The node that this host believes owns a partition, or <see cref="NodeId.None"/>. A stale answer is safe.
    /// </summary>
    /// <param name="partition">A partition's number, from 0.</param>
    NodeId OwnerOf(int partition);

    /// <summary>
    /// The node that this host believes serves a state that is kept in a row of its own, which is where its grain is;
    /// <see cref="NodeId.None"/> when it is nowhere. A stale answer is safe.
    /// </summary>
    /// <param name="grain">The grain's identity as text.</param>
    /// <param name="state">The state's name within the grain.</param>
    NodeId OwnerOfRow(string grain, string state) => NodeId.None;

    /// <summary>
    /// Something waits for a state in a row that nobody serves, as far as is known: the grain is to be activated,
    /// wherever the host likes, and the row acquired there. Says so again and again until it is. At rest nobody asks,
    /// so a host may deactivate grains as it likes.
    /// </summary>
    /// <param name="grain">The grain's identity as text.</param>
    /// <param name="state">The state's name within the grain.</param>
    void WakeRow(string grain, string state)
    {
    }

    /// <summary>
    /// A transaction is about to reserve states of a grain of this node's that is not activated, as far as is known,
    /// and holds nothing yet: the grain is to be activated, so that nobody waits for that behind the reservations. May
    /// be called for one that is active, or is being activated.
    /// </summary>
    /// <param name="grain">The grain's identity as text.</param>
    /// <returns>
    /// Whether its calls would run by now. <see langword="false"/>, and so by default, if the host can't tell: then
    /// transactions activate it as they come to it, without reservations.
    /// </returns>
    ValueTask<bool> LoadGrainAsync(string grain) => new(false);

    /// <summary>
    /// Another node has taken a state over, or its row can't be used:
    /// the grain's activation here is stale, and is to be deactivated.
    /// </summary>
    /// <param name="grain">The grain's identity as text.</param>
    /// <param name="state">The state's name within the grain.</param>
    void RowLost(string grain, string state)
    {
    }
}
