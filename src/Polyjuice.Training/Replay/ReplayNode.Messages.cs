using Polyjuice.Contracts;
using Polyjuice.Simulation.Events;

namespace Polyjuice.Training.Replay;

// What goes from silo to silo, and back to clients.
internal sealed partial class ReplayNode
{
    private static readonly SendOrPostCallback s_take = static state => ((Mail)state!).Take();

    /// <summary>A batch of an engine's messages.</summary>
    public void Send(NodeId destination, ReadOnlySpan<byte> batch)
    {
        _batches++;
        Queue(destination, new BatchMail(this, NodeOf(destination), batch.ToArray()));
    }

    /// <summary>A transaction has ended, and its client hears of it.</summary>
    public void Answer(ReplayBody body)
    {
        _messages++;
        _cluster.Loop.Queue(Arrival, EventKind.Client, body.Client, body.Told);
    }

    private long Arrival => (long)Charged + _cluster.Settings.NetworkMicroseconds;

    private void Add(NodeId destination, Mail mail)
    {
        _messages++;
        Queue(destination, mail);
    }

    private void Queue(NodeId destination, Mail mail)
    {
        var to = NodeOf(destination);
        _cluster.Loop.Queue(Arrival, EventKind.Message, to.Index, () => to.Post(s_take, mail));
    }

    private ReplayNode NodeOf(NodeId id) => _cluster.Nodes[(int)id.Value - 1];

    /// <summary>What one silo sends another.</summary>
    private abstract class Mail
    {
        /// <summary>It has arrived, and its turn has come there.</summary>
        public abstract void Take();
    }

    private sealed class BatchMail(ReplayNode from, ReplayNode to, byte[] bytes) : Mail
    {
        public override void Take()
        {
            to._batches++;
            to.Engine.Receive(from.Id, bytes);
        }
    }
}
