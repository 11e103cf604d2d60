using Polyjuice.Embedded.Core;
using Polyjuice.Hosting;
using Polyjuice.Storage;

namespace Polyjuice.Embedded.RealTime;

/// <summary>Nodes on threads, which hand each other their buffers; one view of the cluster for all. Thread-safe.</summary>
internal sealed class RealTimePlatform(ClusterDirectory directory, ILogStore logs, long latencyMicroseconds) : NodePlatform
{
    private static readonly SendOrPostCallback s_arriveLater = static state =>
    {
        var buffer = (MessageBuffer)state!;
        buffer.Destination.Loop.Schedule(buffer.Due, Node.ArriveCallback, buffer);
    };

    private readonly BackgroundWork _background = new();

    /// <inheritdoc/>
    public override NodeLoop CreateLoop(Node node, Action flush, Func<bool> hasUrgentMail) =>
        new RealTimeLoop(LoopWorkers.Shared, flush, hasUrgentMail, node.Logger, new TurnWatch(_background)) { IsClient = node is not Silo };

    /// <inheritdoc/>
    public override ClusterDirectory DirectoryOf(Node node) => directory;

    /// <inheritdoc/>
    public override ILogStore LogsOf(Node node) => logs;

    /// <inheritdoc/>
    public override Task RunInBackground(Func<Task> work) => _background.Run(work);

    /// <inheritdoc/>
    /// <remarks>Too short to be to blame for pauses of loops.</remarks>
    public override Task RunBeside(Func<Task> work) => Task.Run(work);

    /// <inheritdoc/>
    public override Func<CancellationToken, ValueTask> CreatePace() => new BackgroundPace().PauseAsync;

    /// <inheritdoc/>
    /// <remarks>The logs are this cluster's alone, and whoever is in none of its silos now never will be again.</remarks>
    public override bool IsGone(NodeId node) => directory.Find(node) is null;

    /// <inheritdoc/>
    public override void Deliver(MessageBuffer buffer)
    {
        if (latencyMicroseconds > 0) buffer.Due = Clock.UtcMicroseconds + latencyMicroseconds;
        if (!buffer.Destination.Loop.Post(latencyMicroseconds > 0 ? s_arriveLater : Node.ArriveCallback, buffer)) buffer.Return();
    }
}
