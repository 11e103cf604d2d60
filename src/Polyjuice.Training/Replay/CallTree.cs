using Polyjuice.Policies;
using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Replay;

/// <summary>
/// Makes the calls of one transaction from its accesses. Paths say which methods called which; a call is found again by
/// its grain. Which of several parallel calls made a further one is not in a trace: they are dealt to them in turn, so
/// that each has as many.
/// </summary>
internal sealed class CallTree
{
    private readonly PathOrders _orders;
    private readonly int _type;
    private readonly List<Node> _nodes = [];

    public CallTree(PathOrders orders, int type, string rootPath)
    {
        _orders = orders;
        _type = type;
        Root = new Node(rootPath, -1, isParallel: false);
        _nodes.Add(Root);
    }

    public Node Root { get; }

    /// <summary>Adds an access behind those before it.</summary>
    public void Add(in TraceAccess access, SiteKey site, int grain)
    {
        var node = site.Path == Root.Path ? Root : NodeFor(site.Path, grain, access);
        node.Items.Add(new Item(access, site.Kind, null));
    }

    /// <summary>
    /// What the body of a call does: accesses and calls one after the other, with calls together that run in parallel.
    /// </summary>
    public IEnumerable<IReadOnlyList<Item>> StepsOf(Node node)
    {
        var together = new List<Item>();
        foreach (var item in node.Items)
        {
            if (together.Count > 0
                && !(item.Call is { IsParallel: true } call
                    && together.TrueForAll(
                        other => other.Call is { IsParallel: true } before
                            && _orders.AreParallel(_type, before.Path, call.Path))))
            {
                yield return together;
                together = [];
            }

            together.Add(item);
        }

        if (together.Count > 0) yield return together;
    }

    private Node NodeFor(string path, int grain, in TraceAccess access)
    {
        var parent = ParentFor(path, access);
        if (parent.Items is [.., { Call: { } last }] && last.Path == path && last.Grain == grain) return last;
        if (access.IsParallel
            && parent.Items.Find(item => item.Call?.Path == path && item.Call.Grain == grain).Call is { } known)
            return known;
        return Call(parent, path, grain, access.IsParallel);
    }

    private Node ParentFor(string path, in TraceAccess access)
    {
        var end = path.LastIndexOf('>');
        var parentPath = end < 0 ? Root.Path : path[..end];
        if (parentPath == Root.Path || !parentPath.StartsWith(Root.Path, StringComparison.Ordinal)) return Root;
        Node? best = null;
        foreach (var node in _nodes)
        {
            if (node.Path != parentPath) continue;
            if (best is null || !access.IsParallel || Calls(node, path) < Calls(best, path)) best = node;
        }

        // A method on the way that accessed nothing itself: where it ran is not known.
        return best ?? Call(ParentFor(parentPath, access), parentPath, -1, access.IsParallel);
    }

    private Node Call(Node parent, string path, int grain, bool isParallel)
    {
        var node = new Node(path, grain, isParallel);
        _nodes.Add(node);
        parent.Items.Add(new Item(default, default, node));
        return node;
    }

    private static int Calls(Node node, string path) => node.Items.Count(item => item.Call?.Path == path);

    /// <summary>A call.</summary>
    internal sealed class Node(string path, int grain, bool isParallel)
    {
        public string Path => path;

        /// <summary>Whose method it is; −1 if that is not known.</summary>
        public int Grain => grain;

        public bool IsParallel => isParallel;

        public List<Item> Items { get; } = [];
    }

    /// <summary>What a body does: an access, or a call.</summary>
    internal readonly record struct Item(TraceAccess Access, AccessKind Kind, Node? Call);
}
