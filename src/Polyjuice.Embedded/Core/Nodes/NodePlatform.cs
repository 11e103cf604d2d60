using Polyjuice.Hosting;
using Polyjuice.Storage;

namespace Polyjuice.Embedded.Core;

/// <summary>What the nodes of a cluster stand on: threads, the clock and shared memory in real time, or a simulation of all that.</summary>
internal abstract class NodePlatform
{
    /// <summary>The turn of a node that is being made.</summary>
    /// <param name="node">The node.</param>
    /// <param name="flush">What to call after each batch of work.</param>
    /// <param name="hasUrgentMail">Whether another silo waits for what the next flush sends.</param>
    public abstract NodeLoop CreateLoop(Node node, Action flush, Func<bool> hasUrgentMail);

    /// <summary>What a node knows of the others.</summary>
    public abstract ClusterDirectory DirectoryOf(Node node);

    /// <summary>The logs as a node reaches them.</summary>
    public abstract ILogStore LogsOf(Node node);

    /// <inheritdoc cref="Hosting.IEngineHost.RunInBackground"/>
    public abstract Task RunInBackground(Func<Task> work);

    /// <inheritdoc cref="Hosting.IEngineHost.RunBeside"/>
    public abstract Task RunBeside(Func<Task> work);

    /// <inheritdoc cref="Hosting.IEngineHost.CreatePace"/>
    public virtual Func<CancellationToken, ValueTask>? CreatePace() => null;

    /// <inheritdoc cref="Hosting.IEngineHost.IsGone"/>
    public abstract bool IsGone(NodeId node);

    /// <summary>Carries messages to <see cref="MessageBuffer.Destination"/>, and returns the buffer when it is done with it. On the sender's loop.</summary>
    public abstract void Deliver(MessageBuffer buffer);
}
