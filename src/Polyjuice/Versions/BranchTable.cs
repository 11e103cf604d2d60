namespace Polyjuice.Versions;

/// <summary>A branch by its place in a <see cref="BranchTable"/>. The default names none.</summary>
/// <param name="Slot">Where it is, or was.</param>
/// <param name="Generation">Which of those that had the place.</param>
internal readonly record struct BranchRef(int Slot, int Generation);

/// <summary>
/// The branches of a partition that are not forgotten. Versions and access lists, which live long, name those who
/// access them by their places here: a reference from an old object to a young one is what a garbage collection has to
/// look for, object by object, and tens of thousands of states hold one each time. Here they are next to each other.
/// </summary>
internal sealed class BranchTable
{
    private Branch?[] _branches = new Branch?[16];
    private readonly Stack<int> _free = new();
    private int _generation;

    // Nobody gets the first place, which the default names: generations start again some day.
    private int _used = 1;

    /// <summary>Gives a branch its place.</summary>
    public void Add(Branch branch)
    {
        if (!_free.TryPop(out var slot)) slot = _used++;
        if (slot == _branches.Length) Array.Resize(ref _branches, _branches.Length * 2);
        branch.Ref = new BranchRef(slot, ++_generation);
        _branches[slot] = branch;
    }

    /// <summary>Forgets a branch: whoever named it finds nothing from now on.</summary>
    public void Remove(Branch branch)
    {
        if (Find(branch.Ref) != branch) return;
        _branches[branch.Ref.Slot] = null;
        _free.Push(branch.Ref.Slot);
    }

    /// <summary>The branch, or <see langword="null"/> when it is forgotten, or there never was one.</summary>
    public Branch? Find(BranchRef place) =>
        (uint)place.Slot < (uint)_branches.Length && _branches[place.Slot] is { } branch && branch.Ref == place
            ? branch
            : null;
}
